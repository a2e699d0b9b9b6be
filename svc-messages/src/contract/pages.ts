/** Addresses of the domain's pages that messages link to. */
export const messagePages = {
  /** Shows what a message's link would do, and does it on confirmation. */
  action: (token: string): string => `/message-actions/${token}`,
  /** Asks for confirmation before unsubscribing from a kind. */
  unsubscribe: (token: string): string => `/unsubscribe/${token}`,
  /** The reader's own messages and preferences. */
  notifications: '/dash/notifications',
} as const;
