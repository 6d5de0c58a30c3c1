import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Frees all that nothing holds any more. What a weak reference named in this turn of the event loop is still held by it. */
export const collectGarbage = runInNewContext('gc') as () => void
