import { m } from '#lib/paraglide/messages.js'

/** Standard outcome names, which are translated. */
const STANDARD: Readonly<Record<string, () => string>> = {
  yes: m.outcome_yes,
  no: m.outcome_no,
  up: m.series_up,
  down: m.series_down,
  over: m.outcome_over,
  under: m.outcome_under,
  draw: m.outcome_draw,
}

/** Translates an outcome's name if it is a standard one; others stay as they are. */
export const outcomeName = (written: string): string => STANDARD[written.toLowerCase()]?.() ?? written
