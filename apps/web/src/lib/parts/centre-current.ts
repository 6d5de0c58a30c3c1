/**
 * An attachment for a row of links that is wider than its place: the one that leads here comes to its middle, and nothing else moves. Made for
 * a `page`, it does so again on the next one.
 */
export const centreCurrent = (page: string) => (row: HTMLElement) => {
  const link = page === '' ? null : row.querySelector('[aria-current]')
  if (!link) return
  const [place, box] = [row.getBoundingClientRect(), link.getBoundingClientRect()]
  row.scrollLeft += box.left + box.width / 2 - place.left - place.width / 2
}
