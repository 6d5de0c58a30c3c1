/** What is not borne is tried again at this part of it, so many times. */
const LESS = 0.75
const DESCENTS = 6
/** Then the middle between what is borne and what is not, so many times: the bound is known to some hundredths. */
const HALVINGS = 2

/** The greatest share, of 1, that is borne, as far as some trials tell; the least that was tried where none is. */
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
