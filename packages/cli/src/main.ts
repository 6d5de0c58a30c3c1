#!/usr/bin/env node
import { runProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

// A closed pipe, as by `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
// A closed stderr is ignored: the exit code tells the result.
process.stderr.on('error', () => {})

process.exitCode = await runProgram(process.argv.slice(2), openTerminal())
