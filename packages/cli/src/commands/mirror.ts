import { checkRoot } from '@augury/client/verify-root'
import type { SignedRoot } from '@augury/wire/proof'
import { downloadRoot, keepNewest, rootsIn, saveRoot } from '../chain/mirrored-root.ts'
import type { Command, Session } from '../command.ts'
import { explain, Failure, failureOf } from '../failure.ts'
import { readCount } from '../read-count.ts'

/** Roots whose leaves the exchange keeps. */
const KEPT = 24
/** Fewest roots that a mirror keeps: a veto goes back to a root of at most a week ago. */
const LEAST_KEPT = KEPT

/** Keeps all leaves of the exchange's newest roots in a folder. */
export const mirror: Command = {
  usage: 'FOLDER [--keep N] [--every MINUTES]',
  about: 'Keep the leaves of the newest signed roots in a folder, so that everybody can leave when the exchange is gone.',
  flags: {
    keep: { value: 'N', about: `Roots to keep in the folder, at least ${LEAST_KEPT}. Default: all.` },
    every: { value: 'MINUTES', about: 'Repeat at this interval. Default: once.' },
  },
  words: [1, 1],
  async run(session, { words: [folder = ''], flag }) {
    const keep = flag('keep') === undefined ? null : Math.max(LEAST_KEPT, readCount(flag('keep')!, '--keep'))
    const every = flag('every') === undefined ? null : readCount(flag('every')!, '--every', 1440)
    const stopped = every === null ? null : session.terminal.stopped().then(() => true)
    for (;;) {
      await mirrorOnce(session, folder, keep).catch((error: unknown) => {
        const failure = failureOf(error)
        if (every === null) throw failure
        session.terminal.error(explain(failure)) // an exchange that is away may be back the next time
      })
      if (every === null) return
      let timer: NodeJS.Timeout | undefined
      const pause = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), every * 60_000)
      })
      if (await Promise.race([pause, stopped])) return clearTimeout(timer)
    }
  },
}

async function mirrorOnce(session: Session, folder: string, keep: number | null): Promise<void> {
  const { visitor } = session
  const had = new Set(await rootsIn(folder))
  const { data: roots } = await visitor.listStateRoots({ query: { limit: KEPT } })
  const newest = roots[0]
  if (!newest) throw new Failure('no_roots', 'the exchange has signed nothing yet')
  const saved: number[] = []
  // The newest first: it is the one that matters, and older ones may be given up meanwhile.
  for (const root of roots) {
    if (had.has(root.n)) continue
    if (await saveOne(session, folder, root)) saved.push(root.n)
  }
  if (keep !== null) await keepNewest(folder, keep)
  const kept = (await rootsIn(folder)).length
  session.show(
    { folder, newest: newest.n, saved, kept },
    () => `${saved.length} new roots in ${folder}, ${kept} in all; the newest of the exchange is ${newest.n}`,
  )
}

async function saveOne({ visitor }: Session, folder: string, root: SignedRoot): Promise<boolean> {
  const [fault] = await checkRoot(root)
  if (fault !== undefined) throw new Failure('bad_root', `root ${root.n} is not what its key signed (${fault})`)
  const mirrored = await downloadRoot(visitor, root)
  if (mirrored) await saveRoot(folder, mirrored)
  return mirrored !== null
}
