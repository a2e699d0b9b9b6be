/** Key of the demo's backups. It isn't secret: anyone can read it here, and it is rejected outside demo mode. */
export const demoKey = {
  identity: 'AGE-SECRET-KEY-1DWGGELFY60LCLZZ4WT200GTKFR7KHWGDVGTEVNRE4WAZ27L5AJXSRC7UX8',
  recipient: 'age1r6sw2gj5m4eyk0v3huug46azf2e9hljf7ujrgxtfjzw52fxrhp5snm9v4r',
} as const;
