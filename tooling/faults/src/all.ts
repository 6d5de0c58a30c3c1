import { disks } from './disk.ts'
import { type Fault, faults } from './faults.ts'
import { frozen } from './frozen.ts'
import { journalSizes } from './journal-size.ts'
import { lines } from './lines.ts'
import { races } from './races.ts'
import { redisFaults } from './redis.ts'
import { restores } from './restore.ts'
import { settlerFaults } from './settler.ts'
import { settlerReorganisations } from './settler-reorganisations.ts'
import { slowClients } from './slow-clients.ts'
import { streams } from './streams.ts'

/** Every fault by kind, in the order in which they are run. The tests of a kind are one file, so that kinds run in parallel. */
export const kinds = {
  programs: faults,
  ground: [...lines, ...disks, ...frozen],
  starts: [...restores, ...journalSizes],
  clients: [...redisFaults, ...slowClients],
  races,
  streams,
} satisfies Record<string, readonly Fault[]>

/** Every fault. Those of the settler are longer than a test run bears: its own tests have what is quick. */
export const all: readonly Fault[] = [...Object.values(kinds).flat(), ...settlerFaults, ...settlerReorganisations]
