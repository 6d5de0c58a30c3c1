#!/usr/bin/env node
import { runProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

// A closed pipe, as by `head`, is not a failure: the command goes on to its end, and its exit code tells the result.
process.stdout.on('error', (error: NodeJS.ErrnoException) => void (error.code !== 'EPIPE' && process.exit(1)))
// So does it when stderr is closed.
process.stderr.on('error', () => {})

process.exitCode = await runProgram(process.argv.slice(2), openTerminal())
