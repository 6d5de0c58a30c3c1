/**
 * Rows in an order that changes with their figures, but never under a pointer or a focus: a row that moves just then would make a press miss. On a
 * screen without a pointer, they keep their order while they can be seen.
 */
export class SteadyOrder<Row> {
  #held = $state(false)
  #known: readonly string[] = []
  readonly #sorted: () => readonly Row[]
  readonly #name: (row: Row) => string

  /** `sorted` gives the rows in their latest order, `name` what a row is known by. */
  constructor(sorted: () => readonly Row[], name: (row: Row) => string) {
    this.#sorted = sorted
    this.#name = name
  }

  readonly rows: readonly Row[] = $derived.by(() => {
    const sorted = this.#sorted()
    const before = this.#known
    const isSame = before.length === sorted.length && sorted.every((row) => before.includes(this.#name(row)))
    if (this.#held && isSame) return sorted.toSorted((one, other) => before.indexOf(this.#name(one)) - before.indexOf(this.#name(other)))
    this.#known = sorted.map(this.#name)
    return sorted
  })

  /** Attachment of the element with the rows. */
  readonly hold = (element: HTMLElement): (() => void) => {
    const look = () => {
      this.#held = element.matches(':hover, :focus-within')
    }
    if (matchMedia('(hover: hover)').matches) {
      const events = ['pointerenter', 'pointerleave', 'focusin', 'focusout'] as const
      const later = () => setTimeout(look)
      for (const event of events) element.addEventListener(event, later)
      return () => {
        for (const event of events) element.removeEventListener(event, later)
      }
    }
    const observer = new IntersectionObserver(([entry]) => {
      this.#held = entry?.isIntersecting ?? false
    })
    observer.observe(element)
    return () => observer.disconnect()
  }
}
