/** Two-tone line drawings of the public pages: `wash` is filled with apricot, `lines` are stroked in the text colour. */
const drawings = {
  heart: {
    wash: 'M24 41C10 31 5 24 5 16.5C5 10.5 9.5 7 14 7C18.5 7 22 9.5 24 13C26 9.5 29.5 7 34 7C38.5 7 43 10.5 43 16.5C43 24 38 31 24 41Z',
    lines:
      'M24 41C10 31 5 24 5 16.5C5 10.5 9.5 7 14 7C18.5 7 22 9.5 24 13C26 9.5 29.5 7 34 7C38.5 7 43 10.5 43 16.5C43 24 38 31 24 41ZM12 23.5H18L21.5 17L26.5 30L29.5 23.5H36',
  },
  siren: {
    wash: 'M12 34V25a12 12 0 0 1 24 0v9Z',
    lines: 'M12 34V25a12 12 0 0 1 24 0v9M7 34H41V41H7ZM24 20a5 5 0 0 0-5 5M24 4V8M7.5 11L10.5 14M40.5 11L37.5 14',
  },
  home: {
    wash: 'M24 34.5c-5.5-3.8-8-6.8-8-10 0-4.8 6.4-5.7 8-1.6 1.6-4.1 8-3.2 8 1.6 0 3.2-2.5 6.2-8 10Z',
    lines:
      'M4.5 22.5L24 6L43.5 22.5M9 19V41H39V19M24 34.5c-5.5-3.8-8-6.8-8-10 0-4.8 6.4-5.7 8-1.6 1.6-4.1 8-3.2 8 1.6 0 3.2-2.5 6.2-8 10Z',
  },
  shield: {
    wash: 'M24 5L40 11V23C40 33 33 39.5 24 43C15 39.5 8 33 8 23V11Z',
    lines: 'M24 5L40 11V23C40 33 33 39.5 24 43C15 39.5 8 33 8 23V11ZM16.5 24L22 29.5L32 19',
  },
  active: {
    wash: 'M25 9.5a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z',
    lines:
      'M25 9.5a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0ZM12 23L19 17L28 19L24 29L31 34L30 44M28 19L33 25L40 24M23 31L19 38L10 40',
  },
  water: {
    wash: 'M13.4 22c4-3 7.1 2 10.6 0s6.6-3 10.6 0L32.5 42H15.5Z',
    lines: 'M11.5 7H36.5L32.5 42H15.5ZM13.4 22c4-3 7.1 2 10.6 0s6.6-3 10.6 0',
  },
  meal: {
    wash: 'M24 24C22 15 27 8 37 7C38 15 34 22 24 24ZM21 24C21 18 17 12.5 9.5 12C9 18 13 23 21 24Z',
    lines:
      'M5 24H43C43 34 35 41 24 41S5 34 5 24ZM24 24C22 15 27 8 37 7C38 15 34 22 24 24ZM21 24C21 18 17 12.5 9.5 12C9 18 13 23 21 24Z',
  },
  moon: {
    wash: 'M40 29.5A17 17 0 1 1 19.5 8A14 14 0 0 0 40 29.5Z',
    lines: 'M40 29.5A17 17 0 1 1 19.5 8A14 14 0 0 0 40 29.5ZM35 7V15M31 11H39',
  },
  book: {
    wash: 'M24 12C19 8 12 7.5 6 9V38C12 36.5 19 37 24 41Z',
    lines: 'M24 12C19 8 12 7.5 6 9V38C12 36.5 19 37 24 41C29 37 36 36.5 42 38V9C36 7.5 29 8 24 12ZM24 12V41',
  },
  people: {
    wash: 'M13 41C13 33.5 17.5 29 24 29S35 33.5 35 41Z',
    lines:
      'M18 18.5a6 6 0 1 0 12 0a6 6 0 1 0-12 0ZM13 41C13 33.5 17.5 29 24 29S35 33.5 35 41ZM14 12.5a4.5 4.5 0 1 0-2 8.5M4 33C4.5 28.5 7 25.5 11.5 25M34 12.5a4.5 4.5 0 1 1 2 8.5M44 33C43.5 28.5 41 25.5 36.5 25',
  },
} as const;

export type DrawingName = keyof typeof drawings;

/** A drawing on a soft background; decorative, hidden from assistive technology. */
export function Drawing({ name }: { readonly name: DrawingName }) {
  const { wash, lines } = drawings[name];
  return (
    <span className="grid size-16 place-items-center rounded-2xl bg-tint text-primary" aria-hidden="true">
      <svg viewBox="0 0 48 48" className="size-10" fill="none">
        <path d={wash} className="fill-accent/60" />
        <path d={lines} stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </span>
  );
}
