/** Attachment for a scrollable row of links: scrolls the link to the current page to its middle. Runs again when `page` changes. */
export const centreCurrent = (page: string) => (row: HTMLElement) => {
  const link = page === '' ? null : row.querySelector('[aria-current]')
  if (!link) return
  const [place, box] = [row.getBoundingClientRect(), link.getBoundingClientRect()]
  row.scrollLeft += box.left + box.width / 2 - place.left - place.width / 2
}
