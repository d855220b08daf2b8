/** Who this browser is may end in another of its tabs, where the reader's data are deleted: then it is nobody in all. */
const tabs = new BroadcastChannel("foxrow:identity");
let forgotten = $state(false);
tabs.onmessage = () => (forgotten = true);

export const identity = {
  /** In another tab. */
  get forgotten(): boolean {
    return forgotten;
  },
  /** The reader has gone on to another page, which asks who they are. */
  begin(): void {
    forgotten = false;
  },
  /** In this one, which knows. */
  forget(): void {
    tabs.postMessage("forgotten");
  },
};
