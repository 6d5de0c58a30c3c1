declare global {
  namespace App {
    interface Error {
      /** What a person quotes when asking for help; also in the X-Request-Id header. */
      requestId?: string
    }
    interface Locals {
      requestId: string
      theme: import('#lib/theme.ts').Theme
      settings: import('@augury/settings/env').WebSettings
      platform: import('@augury/platform/platform').Platform
      exchange: import('@augury/client/rest').VenueClient
      viewer: import('@augury/platform/identity/viewer').Viewer
    }
  }
}

export {}
