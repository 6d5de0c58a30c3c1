import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { guard } from '@augury/testing/guard'

/** A tool that runs to its end. */
export interface Tool {
  /** Also the name of its log file. */
  name: string
  command: [string, ...string[]]
  cwd: string
  env?: Record<string, string>
}

/** The exit of a tool, and everything it wrote. */
export interface ToolResult {
  code: number | null
  output: string
}

/** Runs a tool and writes its output to `<logs>/<name>.log`. It dies with this process. Throws only when it cannot be run at all. */
export function runTool({ name, command, cwd, env }: Tool, logs: string): Promise<ToolResult> {
  mkdirSync(logs, { recursive: true })
  const file = createWriteStream(join(logs, `${name}.log`)).on('error', () => {}) // a full disk takes the log, and nothing else
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Asked to stop first: a tool that puts its own children into groups of their own, as turbo does, is the only one that can end them.
  const release = guard('kill -TERM "-$1"; sleep 2; kill -KILL "-$1"', [String(child.pid)])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      file.write(chunk)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      release()
      file.end()
      resolve({ code, output })
    })
  })
}
