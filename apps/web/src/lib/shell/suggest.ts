import { mount } from 'svelte'
import SearchHits from './SearchHits.svelte'

const known = new WeakSet<HTMLInputElement>()

/** Shows suggestions below a search field from now on. Loaded with the first letters, so that no page waits for it. */
export function suggest(input: HTMLInputElement): void {
  const target = input.closest('search')
  if (!target || known.has(input)) return
  known.add(input)
  mount(SearchHits, { target, props: { input } })
}
