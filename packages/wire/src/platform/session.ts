import { z } from 'zod'
import { operation } from '../operation.ts'
import { publicQuery } from '../query.ts'
import { searchText } from '../scalars.ts'
import { publicUser, session, user } from './user.ts'

/** The signed-in member and their sessions. */
export const sessionOperations = {
  getSession: operation({
    method: 'GET',
    path: '/api/auth/session',
    auth: 'optional',
    summary: 'The member who is signed in, or null.',
    output: user.nullable(),
    refusals: [],
    repeatable: true,
  }),
  signOut: operation({
    method: 'POST',
    path: '/api/auth/sign-out',
    auth: 'optional',
    summary: 'Ends the session at once and clears what the browser kept.',
    output: z.object({ success: z.literal(true) }),
    refusals: [],
    repeatable: true,
  }),
  listSessions: operation({
    method: 'GET',
    path: '/api/auth/sessions',
    auth: 'member',
    summary: 'The devices on which the member is signed in, the latest seen first.',
    output: z.array(session),
    refusals: [],
    repeatable: true,
  }),
  endSession: operation({
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    auth: 'member',
    budget: 'account',
    summary: 'Signs one device out at once; `others` signs out all but the one that asks.',
    params: z.object({ id: z.union([z.uuid(), z.literal('others')]) }),
    output: z.object({ success: z.literal(true) }),
    refusals: ['session_not_found'],
    repeatable: true,
  }),
  searchUsers: operation({
    method: 'GET',
    path: '/api/users',
    auth: 'public',
    budget: 'search',
    summary: 'Up to ten members whose name or address holds the text; nothing for fewer than two characters.',
    query: publicQuery({ search: searchText(64).default('').describe('Part of a name or of an address.') }),
    output: z.array(publicUser),
    refusals: ['rate_limited'],
    repeatable: true,
  }),
} as const
