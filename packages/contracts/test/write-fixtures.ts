import { join } from 'node:path'
import { writeFixtures } from './fixtures.ts'

/** Writes what the Solidity tests read: a fresh clone has none of it. */
writeFixtures(join(import.meta.dirname, '../build/fixtures'))
