import { setTimeout as wait } from 'node:timers/promises'
import { type Fault, oneChain, settle, Tally } from './faults.ts'
import { Scene } from './scene.ts'
import { smallDisk } from './small-disk.ts'

/** Enough for a cluster with a few minutes of journal, and no more. */
const DISK_MIB = 400
const FULL_MS = 2000

/** A full disk, for both the database and the exchange's own files. */
export const disks: readonly Fault[] = [
  {
    name: 'the disk is full',
    must: 'nothing is said that is not so, nothing acknowledged is missing, and once there is room again trading goes on',
    async run(_, { fillings }) {
      const disk = smallDisk(DISK_MIB)
      if (!disk) return { facts: 'not run: this user may not mount a disk', wrong: [] }
      const tally = new Tally()
      let ended = 0
      try {
        const scene = await Scene.open(disk.folder)
        try {
          for (let round = 0; round < fillings; round++) {
            const load = await scene.trade()
            await wait(300)
            disk.fill()
            await wait(FULL_MS)
            // Tables had no room; now the write-ahead log has none either, which stops PostgreSQL.
            await scene.query('select pg_switch_wal()').catch(() => {})
            await wait(FULL_MS)
            disk.free()
            const recovering = load.recovered()
            await scene.postgres.start()
            if (await scene.hasEnded()) {
              ended++
              await scene.start()
            }
            const recovery = await recovering
            tally.add(load, await settle(scene, load), recovery)
          }
          tally.wrong.push(...(await oneChain(scene)))
        } finally {
          await scene.close()
        }
      } finally {
        disk.remove()
      }
      return tally.seen(`${fillings} times, the exchange ended by itself in ${ended} of them`)
    },
  },
]
