import type { Viewer } from '@augury/platform/identity/viewer'
import { deploymentOperations, useCases } from '@augury/platform/operations'
import type { Platform } from '@augury/platform/platform'
import { ServiceError } from '@augury/wire/service-error'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { readParts } from './parts.ts'
import { type Carried, rootOf } from './trpc.ts'

/** What procedures of a deployment run with: its platform, and who looks. */
export interface PlatformCall {
  platform: Platform
  viewer: Viewer
}

type UseCase = (platform: Platform, viewer: Viewer, input: unknown) => Promise<unknown>

/** A deployment over tRPC, at `/trpc`: the routes of its contract and what its own pages ask. */
export const platformRoot = rootOf<typeof deploymentOperations, PlatformCall>(
  deploymentOperations,
  (name, operation, { platform, viewer }, input) =>
    (useCases[name as keyof typeof deploymentOperations] as UseCase)(platform, viewer, readParts(operation, input)),
)

/** Its type, for clients. */
export type PlatformRoot = typeof platformRoot

/** Serves one request below `/trpc`. */
export function servePlatformRoot(call: PlatformCall, request: Request, onBug: (error: unknown) => void): Promise<Response> {
  return fetchRequestHandler({
    endpoint: '/trpc',
    router: platformRoot,
    req: request,
    createContext: (): Carried<PlatformCall> => ({ carried: call }),
    onError: ({ error }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR' && !(error.cause instanceof ServiceError)) onBug(error.cause ?? error)
    },
  })
}
