import type { Input, Operation, Output } from '@augury/wire/operation'
import type { Site } from '../site/site.ts'
import type { ViewerOf } from './viewer.ts'

/** The use cases of a table: a missing one, or one with another result, is a type error. */
export type UseCases<Table extends Record<string, Operation>> = {
  [Name in keyof Table]: (site: Site, viewer: ViewerOf<Table[Name]['auth']>, input: Input<Table[Name]>) => Promise<Output<Table[Name]>>
}
