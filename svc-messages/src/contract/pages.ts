/** Addresses of the domain's pages that messages link to. */
export const messagePages = {
  /** Shows what a link of a message would do, and does it on request. */
  action: (token: string): string => `/message-actions/${token}`,
  /** Asks before it ends messages of one kind. */
  unsubscribe: (token: string): string => `/unsubscribe/${token}`,
  /** The reader's own messages and preferences. */
  notifications: '/dash/notifications',
} as const;
