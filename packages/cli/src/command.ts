import type { VenueClient } from '@augury/client/rest'
import type { CliSettings } from '@augury/settings/env'
import type { ApiKey } from '@augury/signing/request-signer'
import type { Terminal } from './terminal.ts'

/** A flag of a command: `--name value`, or a switch. */
export interface Flag {
  /** Name of its value in the usage; switches have none. */
  value?: string
  about: string
}

/** Context of a running command. */
export interface Session {
  /** Base URL of the exchange. */
  url: string
  settings: CliSettings
  terminal: Terminal
  json: boolean
  /** A client without a key, for public operations. */
  visitor: VenueClient
  /** The caller's API key, looked up once. Throws a failure if there is none. */
  apiKey(): Promise<ApiKey>
  /** The caller's address. Throws a failure if there is none. */
  address(): Promise<string>
  /** A client with the caller's key. */
  trader(): Promise<VenueClient>
  /** Prints a result: `value` if JSON was requested, else the text. */
  show(value: unknown, text: () => string): void
}

/** Arguments of a call: words and flags. A given switch is `true`. */
export interface Arguments {
  words: readonly string[]
  flag(name: string): string | undefined
  given(name: string): boolean
}

/** A command of the program. */
export interface Command {
  /** Arguments shown after its name in the usage. */
  usage: string
  about: string
  flags: Readonly<Record<string, Flag>>
  /** Minimum and maximum number of words. */
  words: readonly [number, number]
  run(session: Session, args: Arguments): Promise<void>
}
