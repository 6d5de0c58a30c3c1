/** Who looks at public data: nobody in particular. Members join this union when they can sign in. */
export interface Viewer {
  readonly kind: 'anonymous'
}

/** A request that proved nothing about itself. */
export const anonymous: Viewer = { kind: 'anonymous' }
