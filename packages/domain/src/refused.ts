import { DriverException } from '@mikro-orm/core'
import pg from 'pg'

const UNIQUE_VIOLATION = '23505'

/** Whether the database answered a statement with an error, be it asked by the ORM or by the query builder. */
export const isRefusedByDatabase = (error: unknown): error is Error & { code?: string } =>
  error instanceof DriverException || error instanceof pg.DatabaseError

/** Whether a row was not written because another has the same unique value. */
export const isDuplicate = (error: unknown): boolean => isRefusedByDatabase(error) && error.code === UNIQUE_VIOLATION
