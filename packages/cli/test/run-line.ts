import { runProgram } from '../src/program.ts'
import type { Terminal } from '../src/terminal.ts'

/** Runs a command line in this process. */
export async function runLine(line: string, environment: Record<string, string>, askSecret: Terminal['askSecret'] = async () => null) {
  const out: string[] = []
  const errors: string[] = []
  const terminal = {
    out: (text: string) => void out.push(text),
    error: (text: string) => void errors.push(text),
    clear: () => {},
    columns: null,
    askSecret,
    stopped: () => new Promise<void>(() => {}),
  }
  const code = await runProgram(line.split(' '), terminal, environment)
  return { code, out: out.join('\n'), error: errors.join('\n'), json: () => JSON.parse(out.join('\n')) }
}
