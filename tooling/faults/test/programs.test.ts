import { testFaults } from './of-kind.ts'

testFaults('programs')
