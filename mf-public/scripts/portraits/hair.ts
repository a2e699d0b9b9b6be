export interface Hair {
  readonly base: string;
  readonly light: string;
}

/** The layers behind the head and over the forehead. */
export interface HairDrawing {
  readonly back: string;
  readonly front: string;
}

const path = (d: string, fill: string) => `<path fill="${fill}" d="${d}"/>`;
const line = (d: string, stroke: string, width = 4) =>
  `<path fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" d="${d}"/>`;
type Dots = readonly (readonly [x: number, y: number, r: number])[];
const dots = (fill: string, places: Dots) =>
  `<g fill="${fill}">${places.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}"/>`).join('')}</g>`;

/** A path, dots, or what they can't express. */
type Shape = string | Dots | ((hair: Hair) => string);

interface Style {
  readonly back?: Shape;
  readonly front?: Shape;
  /** Path of the light lines over the front. */
  readonly shine?: string;
  /** Default: 3. */
  readonly shineWidth?: number;
}

const drawings = {
  bun: {
    back: ({ base, light }) =>
      `<circle cx="200" cy="58" r="38" fill="${base}"/>${line('M176 50C186 36 212 34 224 48', light)}<ellipse cx="200" cy="158" rx="72" ry="84" fill="${base}"/>`,
    front: 'M200 92C180 108 152 118 136 176C124 112 152 68 200 68C248 68 276 112 264 176C250 122 222 106 200 92Z',
    shine: 'M176 84C162 92 152 106 147 122M226 84C240 92 248 106 253 122',
  },
  'low-bun': {
    back: ({ base, light }) =>
      `<ellipse cx="200" cy="160" rx="71" ry="84" fill="${base}"/><circle cx="262" cy="240" r="32" fill="${base}"/>${line('M250 226C262 220 278 228 282 242', light)}`,
    front: 'M232 82C208 112 160 118 138 176C124 112 152 66 202 66C250 66 276 112 264 176C262 134 252 100 232 82Z',
    shine: 'M218 80C196 100 166 108 150 132M240 84C250 94 257 110 259 128',
  },
  'long-parted': {
    back: 'M200 64C136 64 112 112 112 180C112 244 116 290 96 338C130 366 270 366 304 338C284 290 288 244 288 180C288 112 264 64 200 64Z',
    // Middle parting with hair beside the face.
    front:
      'M200 96C178 98 158 116 150 146C146 164 146 190 142 270C140 290 134 300 124 300C112 260 114 180 120 148C126 100 156 68 200 68C244 68 274 100 280 148C286 180 288 260 276 300C266 300 260 290 258 270C254 190 254 164 250 146C242 116 222 98 200 96Z',
    shine: 'M180 80C150 92 132 122 129 164M222 80C252 92 268 122 271 164',
  },
  bob: {
    back: 'M200 62C136 62 114 110 114 172C114 214 110 244 118 268C150 284 250 284 282 268C290 244 286 214 286 172C286 110 264 62 200 62Z',
    front:
      'M238 84C222 116 172 132 148 140C148 170 150 222 146 262C134 268 124 268 118 264C110 220 112 176 118 148C126 98 156 66 202 66C250 66 276 98 282 148C288 180 290 224 282 264C274 268 264 268 254 262C252 222 254 180 252 148C250 122 246 100 238 84Z',
    shine: 'M224 80C204 102 168 114 142 124',
  },
  fringe: {
    back: 'M200 62C136 62 112 112 112 176C112 232 112 270 104 312C140 332 260 332 296 312C288 270 288 232 288 176C288 112 264 62 200 62Z',
    front:
      'M146 150C146 190 148 232 140 292C128 298 116 296 110 290C114 250 110 190 116 150C122 98 154 66 200 66C246 66 278 98 284 150C290 190 286 250 290 290C284 296 272 298 260 292C252 232 254 190 254 150C222 158 178 158 146 150Z',
    shine: 'M176 80C166 98 162 120 162 142M200 76V146M224 80C234 98 238 120 238 142',
    shineWidth: 2.5,
  },
  braid: {
    back: ({ base }) =>
      `<ellipse cx="200" cy="160" rx="73" ry="88" fill="${base}"/>${path('M236 220C262 200 272 190 266 170L276 176C290 210 292 236 288 258L254 258Z', base)}`,
    front: 'M222 88C204 110 156 122 138 178C124 112 152 66 200 66C250 66 276 112 264 178C258 134 244 106 222 88Z',
    shine: 'M208 84C186 104 160 112 148 136',
  },
  wavy: {
    back: 'M200 60C138 60 110 108 110 172C110 206 90 222 98 256C104 284 92 300 112 322C140 338 166 320 200 320C234 320 260 338 288 322C308 300 296 284 302 256C310 222 290 206 290 172C290 108 262 60 200 60Z',
    front:
      'M176 86C196 118 234 116 252 148C256 186 250 214 262 240C270 262 258 284 270 304C290 300 304 282 296 258C290 236 298 214 286 184C292 112 262 64 202 64C140 64 108 110 114 184C102 214 110 236 104 258C98 282 110 300 130 304C142 284 130 262 138 240C148 214 142 184 148 152C152 122 164 104 176 86Z',
    shine: 'M192 82C216 100 244 108 260 136M120 200C114 222 120 240 114 258M280 200C286 222 280 240 286 258',
  },
  'curly-long': {
    back: [
      [200, 84, 50],
      [148, 100, 42],
      [252, 100, 42],
      [118, 146, 40],
      [282, 146, 40],
      [106, 200, 40],
      [294, 200, 40],
      [112, 252, 38],
      [288, 252, 38],
      [134, 294, 34],
      [266, 294, 34],
      [200, 200, 90],
    ],
    front: [
      [200, 88, 30],
      [166, 96, 28],
      [236, 96, 28],
      [140, 122, 24],
      [262, 124, 24],
      [128, 156, 20],
      [273, 158, 20],
    ],
    shine:
      'M158 78C170 66 186 64 196 72M224 72C238 70 250 80 254 92M104 190C98 202 100 214 108 222M296 190C302 202 300 214 292 222',
    shineWidth: 3.5,
  },
  headscarf: {},
  short: {
    front:
      'M136 172C126 106 150 64 202 64C254 64 274 106 264 172C262 150 258 134 248 120C224 128 178 126 154 116C144 132 138 150 136 172Z',
    shine: 'M164 86C182 76 214 76 232 84',
  },
  'side-part': {
    front:
      'M136 174C126 128 132 82 170 70C212 54 262 68 266 118C268 138 266 158 264 174C260 152 256 140 250 126C220 128 184 118 166 98C160 122 142 140 136 174Z',
    shine: 'M176 86C202 100 230 104 250 108',
  },
  quiff: {
    front:
      'M136 172C130 136 132 116 144 102C138 78 164 52 206 54C250 52 278 78 264 112C268 132 266 152 264 172C260 150 256 136 248 124C222 132 176 130 154 122C144 136 140 152 136 172Z',
    shine: 'M160 90C174 72 214 66 244 78',
    shineWidth: 3.5,
  },
  swept: {
    front:
      'M134 186C122 120 142 62 206 60C264 60 282 112 266 186C262 158 258 140 246 122C232 116 222 108 214 96C204 118 164 122 150 136C142 148 138 164 134 186Z',
    shine: 'M204 78C188 98 162 104 148 116M226 80C238 90 250 102 256 116',
  },
  fade: {
    front:
      'M138 164C130 108 154 72 200 72C246 72 270 108 262 164C258 136 250 122 236 114C212 108 188 108 164 114C150 122 142 136 138 164Z',
    shine: 'M170 88C188 82 212 82 230 88',
  },
  receding: {
    front:
      'M135 184C124 150 126 116 146 98C156 112 152 130 146 142C141 154 138 168 135 184ZM265 184C276 150 274 116 254 98C244 112 248 130 254 142C259 154 262 168 265 184Z',
    shine: 'M139 122C134 136 133 148 134 160M261 122C266 136 267 148 266 160',
  },
  curls: {
    back: [
      [200, 92, 48],
      [156, 102, 34],
      [244, 102, 34],
    ],
    front: [
      [200, 84, 27],
      [168, 90, 25],
      [232, 90, 25],
      [146, 110, 21],
      [254, 110, 21],
      [138, 136, 15],
      [262, 136, 15],
      [184, 104, 16],
      [218, 104, 16],
    ],
    shine: 'M164 76C172 66 184 64 192 68M216 68C228 66 238 72 242 82',
    shineWidth: 3.5,
  },
} satisfies Record<string, Style>;

export type HairStyle = keyof typeof drawings;

/** The braid hangs in front of the coat, so it is drawn last. */
export function braidOf({ base, light }: Hair): string {
  const knots = [0, 1, 2, 3, 4]
    .map(
      (knot) =>
        `<ellipse cx="${270 + (knot % 2) * 3}" cy="${246 + knot * 25}" rx="${18 - knot * 1.5}" ry="17" fill="${base}"/>`,
    )
    .join('');
  return knots + line('M262 240L278 250M262 266L279 275M264 291L279 300M265 316L278 324', light, 3);
}

/** A headscarf: the frame around the face and the cloth over shoulders and neck. */
export function headscarfOf(base: string, fold: string): HairDrawing {
  return {
    back: path(
      'M200 54C132 54 108 108 110 178C112 238 112 286 78 326C130 372 270 372 322 326C288 286 288 238 290 178C292 108 268 54 200 54Z',
      base,
    ),
    front:
      `<path fill="${base}" fill-rule="evenodd" d="M200 54C132 54 108 108 112 184C114 236 126 268 150 290C180 312 220 312 250 290C274 268 286 236 288 184C292 108 268 54 200 54ZM200 104C238 104 256 134 256 172C256 222 236 258 200 258C164 258 144 222 144 172C144 134 162 104 200 104Z"/>` +
      path(
        'M148 246C170 282 230 282 252 246C268 282 300 300 312 330C262 372 138 372 88 330C100 300 132 282 148 246Z',
        base,
      ) +
      line(
        'M144 172C144 134 162 104 200 104C238 104 256 134 256 172C256 222 236 258 200 258C164 258 144 222 144 172',
        fold,
        5,
      ) +
      line('M250 262C224 296 172 304 126 318M256 274C246 308 214 336 178 350M132 110C122 134 120 160 122 186', fold, 4),
  };
}

export function hairOf(style: HairStyle, hair: Hair): HairDrawing {
  const { back, front, shine, shineWidth = 3 }: Style = drawings[style];
  return { back: drawn(back, hair), front: drawn(front, hair) + (shine ? line(shine, hair.light, shineWidth) : '') };
}

function drawn(shape: Shape | undefined, hair: Hair): string {
  if (shape === undefined) return '';
  if (typeof shape === 'function') return shape(hair);
  return typeof shape === 'string' ? path(shape, hair.base) : dots(hair.base, shape);
}
