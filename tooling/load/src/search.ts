/** After a failed trial the next one runs at this share of it, so many times. */
const LESS = 0.75
const DESCENTS = 6
/** Then the midpoint between success and failure, so many times: the limit is known to a few hundredths. */
const HALVINGS = 2

/** The greatest share, up to 1, at which a trial succeeds, as far as some trials tell; the smallest that was tried where none does. */
export async function greatestBorne(isBorneAt: (share: number) => Promise<boolean>): Promise<number> {
  let [borne, unborne] = [1, 1]
  for (let n = 0; !(await isBorneAt(borne)); n++) {
    if (n === DESCENTS) return borne
    unborne = borne
    borne *= LESS
  }
  for (let n = 0; borne < unborne && n < HALVINGS; n++) {
    const middle = (borne + unborne) / 2
    if (await isBorneAt(middle)) borne = middle
    else unborne = middle
  }
  return borne
}
