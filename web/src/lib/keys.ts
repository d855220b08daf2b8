/** Whether a key is meant for the page: not for the browser, nor for a field or a dialog that has it. */
export function forPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target as HTMLElement).closest("dialog, input, select, textarea");
}
