import type { VenueClient } from '@augury/client/rest'
import type { CliSettings } from '@augury/settings/env'
import type { ApiKey } from '@augury/signing/request-signer'
import type { Terminal } from './terminal.ts'

/** A flag of a command: `--name value`, or a switch. */
export interface Flag {
  /** How its value is called in the usage; a switch has none. */
  value?: string
  about: string
}

/** What a command runs with. */
export interface Session {
  /** Address of the exchange. */
  url: string
  settings: CliSettings
  terminal: Terminal
  json: boolean
  /** For what everybody may ask. */
  visitor: VenueClient
  /** The caller's key, from wherever it is kept; looked for once. Throws a failure when there is none. */
  apiKey(): Promise<ApiKey>
  /** A client with the caller's key. */
  trader(): Promise<VenueClient>
  /** Shows a result: `value` as JSON where that was asked for, else the text. */
  show(value: unknown, text: () => string): void
}

/** The words and flags of a call. A switch that was given is `true`. */
export interface Arguments {
  words: readonly string[]
  flag(name: string): string | undefined
  given(name: string): boolean
}

/** A command of the program. */
export interface Command {
  /** What follows its name, for the usage. */
  usage: string
  about: string
  flags: Readonly<Record<string, Flag>>
  /** How many words it takes, at least and at most. */
  words: readonly [number, number]
  run(session: Session, args: Arguments): Promise<void>
}
