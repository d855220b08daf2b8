/** The page around a table wears the game's colours too; undefined takes them off. Returns the way back. */
export function wear(game: string | undefined): () => void {
  if (game) document.body.dataset["game"] = game;
  else delete document.body.dataset["game"];
  return () => delete document.body.dataset["game"];
}
