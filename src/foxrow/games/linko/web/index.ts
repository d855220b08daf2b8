/** Linko's card: what the home page shows. */
import type { GameCard } from "$lib/game.ts";
import "./tokens.css";
import Cover from "./Cover.svelte";
import Word from "./Word.svelte";
import { t } from "./texts.ts";

const card: GameCard = {
  key: "linko",
  name: "Linko",
  Word,
  Cover,
  tagline: () => t("tagline"),
  minutes: 15,
  players: { low: 2, high: 5, usual: 4 },
  optionWords: () => ({
    label: t("option_optional_snatch"),
    note: t("option_optional_snatch_note"),
  }),
  matchWords: {
    get setting() {
      return t("match_setting");
    },
    choice: (n, players) => t("match_choice", { n, rounds: n * players }),
  },
  load: async () => {
    const [play] = await Promise.all([import("./play.ts"), t.ready]);
    await play.readFaces();
    return play.default;
  },
};

export default card;
