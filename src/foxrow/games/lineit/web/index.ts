/** Line-it's card: what the home page shows. */
import type { GameCard } from "$lib/game.ts";
import "./tokens.css";
import Cover from "./Cover.svelte";
import Word from "./Word.svelte";
import { t } from "./texts.ts";

const card: GameCard = {
  key: "lineit",
  name: "Line-it",
  Word,
  Cover,
  tagline: () => t("tagline"),
  minutes: 20,
  players: { low: 2, high: 5, usual: 3 },
  optionWords: (option) => ({ label: option }),
  matchWords: { setting: null, choice: String },
  load: async () => {
    const [play] = await Promise.all([import("./play.ts"), t.ready]);
    return play.default;
  },
};

export default card;
