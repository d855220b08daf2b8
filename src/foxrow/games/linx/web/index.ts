/** LINX's card: what the home page shows. */
import type { GameCard } from "$lib/game.ts";
import "./tokens.css";
import Cover from "./Cover.svelte";
import Word from "./Word.svelte";
import { t } from "./texts.ts";

const card: GameCard = {
  key: "linx",
  name: "LINX",
  Word,
  Cover,
  tagline: () => t("tagline"),
  minutes: 5,
  players: { low: 2, high: 4, usual: 2 },
  optionWords: (option) =>
    option === "teams"
      ? {
          label: t("option_teams"),
          note: t("option_teams_note"),
          choice: (on) => t(on ? "choice_on" : "choice_off"),
        }
      : {
          label: t("option_layout"),
          note: t("option_layout_note"),
          choice: (layout) => t(layout === "corners" ? "choice_corners" : "choice_square"),
        },
  matchWords: {
    get setting() {
      return t("match_setting");
    },
    choice: (n) => t("match_choice", { n }),
  },
  load: async () => {
    const [play] = await Promise.all([import("./play.ts"), t.ready]);
    return play.default;
  },
};

export default card;
