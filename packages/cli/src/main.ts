#!/usr/bin/env node
import { runProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
// That nobody reads what went wrong is not what went wrong: the exit code says that.
process.stderr.on('error', () => {})

process.exitCode = await runProgram(process.argv.slice(2), openTerminal())
