import type { Person, Places } from './people.ts'

/** One attack. `run` resolves with a sentence for everything that it succeeded in. */
export interface Attack {
  name: string
  run(places: Places, member: Person): Promise<string[]>
}
