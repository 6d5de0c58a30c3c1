import { disks } from './disk.ts'
import { type Fault, faults } from './faults.ts'
import { journalSizes } from './journal-size.ts'
import { lines } from './lines.ts'
import { races } from './races.ts'
import { redisFaults } from './redis.ts'
import { restores } from './restore.ts'
import { slowClients } from './slow-clients.ts'
import { streams } from './streams.ts'

/** Every fault, in the order in which they are run. */
export const all: readonly Fault[] = [
  ...[...faults, ...lines, ...disks, ...restores, ...journalSizes, ...redisFaults, ...slowClients],
  ...[...races, ...streams],
]
