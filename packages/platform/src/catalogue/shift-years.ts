/** A web address, a season such as 2025–26, or a year. Amounts of money and parts of numbers are none. */
const YEARS = /https?:\/\/\S+|(?<![\d.,$€£¥])(\d{4})(?:([–—/-])(\d{4}|\d{2})(?!\d))?(?![\d%]|[.,]\d)/g

/** How far from the end of its event a number may lie to be read as a year. */
const BEFORE = 3
const AFTER = 8

/** Moves the years that a text names, and its seasons, by whole years. Numbers that lie far from `around` are no years. */
export function shiftYears(text: string, years: number, around: Date): string {
  if (years === 0) return text
  const end = around.getUTCFullYear()
  return text.replace(YEARS, (all: string, year?: string, joint?: string, next?: string) => {
    const from = Number(year)
    if (year === undefined || from < end - BEFORE || from > end + AFTER) return all
    if (joint === undefined || next === undefined) return `${from + years}`
    const isSeason = Number(next) === from + 1 || (next.length === 2 && Number(next) === (from + 1) % 100)
    const moved = next.length === 2 ? String((from + 1 + years) % 100).padStart(2, '0') : `${from + 1 + years}`
    return `${from + years}${joint}${isSeason ? moved : next}`
  })
}
