import { braidOf, hairOf, headscarfOf } from './hair.ts';
import type { Person, Skin } from './people.ts';

const ink = '#2a2326';

const faces = {
  oval: 'M140 160C140 110 166 84 200 84C234 84 260 110 260 160C260 204 250 232 232 250C214 268 186 268 168 250C150 232 140 204 140 160Z',
  round:
    'M138 164C138 112 164 86 200 86C236 86 262 112 262 164C262 206 252 230 234 246C214 262 186 262 166 246C148 230 138 206 138 164Z',
  square:
    'M139 158C139 110 164 84 200 84C236 84 261 110 261 158C261 200 258 226 242 246C224 268 176 268 158 246C142 226 139 200 139 158Z',
} as const;

/** One portrait as SVG, 400 by 400. */
export function drawPortrait(person: Person): string {
  const [ground, shape] = person.backdrop;
  const backdrop = `<rect width="400" height="400" fill="${ground}"/><circle cx="200" cy="212" r="158" fill="${shape}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400">${backdrop}${drawFigure(person)}</svg>\n`;
}

/** The person alone, clipped at y = 400: hair behind, body, head, hair in front. */
export function drawFigure(person: Person): string {
  const { skin, style, hair, scarf } = person;
  const covered = scarf && headscarfOf(...scarf);
  const drawn = hairOf(style, hair);
  const parts = [
    covered?.back ?? drawn.back,
    body(person),
    covered ? '' : ears(person),
    `<path fill="${skin.base}" d="${faces[person.face]}"/>`,
    features(person),
    person.beard ? beard(person.beard, person) : '',
    mouth(person),
    covered && person.stethoscope ? stethoscope() : '',
    covered?.front ?? drawn.front,
    person.glasses ? glasses(person.glasses, skin) : '',
    style === 'braid' ? braidOf(hair) : '',
    person.stethoscope && !covered ? stethoscope() : '',
  ];
  return parts.join('');
}

function ears({ skin, earrings }: Person): string {
  const ring = (x: number) => (earrings ? `<circle cx="${x}" cy="203" r="5" fill="${earrings}"/>` : '');
  return `<g fill="${skin.base}"><ellipse cx="138" cy="180" rx="12" ry="17"/><ellipse cx="262" cy="180" rx="12" ry="17"/></g>
<g fill="none" stroke="${skin.shade}" stroke-width="3" stroke-linecap="round"><path d="M134 174C138 176 139 182 136 187"/><path d="M266 174C262 176 261 182 264 187"/></g>${ring(136)}${ring(264)}`.replaceAll(
    '\n',
    '',
  );
}

function body({ skin, shirt, wear }: Person): string {
  const neck = `<path fill="${skin.base}" d="M168 226H232V286C232 304 216 322 200 322C184 322 168 304 168 286Z"/><path fill="${skin.shade}" d="M168 246C186 272 216 272 232 248V262C220 286 182 286 168 262Z"/>`;
  const torso = `<path fill="${shirt}" d="M120 400L140 308C152 298 160 292 168 282C176 316 224 316 232 282C240 292 248 298 260 308L280 400Z"/>`;
  const collar = {
    shirt: `<path fill="#fff" opacity=".92" d="M168 276L150 300L186 336L200 316ZM232 276L250 300L214 336L200 316Z"/><path fill="none" stroke="${ink}" stroke-opacity=".14" stroke-width="3" d="M200 322V400"/>`,
    scrubs: `<path fill="${skin.base}" d="M170 284L200 350L230 284C222 308 178 308 170 284Z"/><path fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="6" stroke-linejoin="round" d="M163 288L200 358L237 288"/>`,
    blouse: `<path fill="${skin.base}" d="M168 282C172 326 228 326 232 282C226 302 174 302 168 282Z"/>`,
  }[wear];
  const coat = `<path fill="#fefdfb" d="M28 400C32 344 62 322 108 306C130 298 146 294 156 286C154 326 170 366 190 400ZM372 400C368 344 338 322 292 306C270 298 254 294 244 286C246 326 230 366 210 400Z"/>`;
  const lapels = `<path fill="#eef0ed" d="M156 286L128 312L142 336L132 346L184 400H190C168 366 154 326 156 286ZM244 286L272 312L258 336L268 346L216 400H210C232 366 246 326 244 286Z"/>`;
  const folds =
    '<path fill="none" stroke="#d9ddd8" stroke-width="4" stroke-linecap="round" d="M88 400C86 384 88 372 92 360M312 400C314 384 312 372 308 360"/>';
  return torso + neck + collar + coat + lapels + folds;
}

function features({ skin, hair, style, scarf, lashes, age }: Person): string {
  const brow = scarf || style === 'receding' || lashes ? darker(hair.base) : hair.base;
  const width = lashes ? 4.5 : 6;
  const eyes = [174, 226]
    .map(
      (x) =>
        `<ellipse cx="${x}" cy="176" rx="6" ry="7" fill="${ink}"/><circle cx="${x + 2}" cy="173.5" r="2" fill="#fff"/>`,
    )
    .join('');
  const lash = lashes
    ? `<path d="M163 173C166 166 174 164 182 168M237 173C234 166 226 164 218 168" stroke="${ink}" stroke-width="3.5"/>`
    : '';
  const lines = age
    ? `<path d="M158 190C161 194 164 196 168 197M242 190C239 194 236 196 232 197M164 214C161 220 161 226 163 231M236 214C239 220 239 226 237 231" stroke="${skin.shade}" stroke-width="3"/>`
    : '';
  return `<g opacity=".34" fill="${skin.blush}"><ellipse cx="160" cy="208" rx="15" ry="10"/><ellipse cx="240" cy="208" rx="15" ry="10"/></g>${eyes}<g fill="none" stroke-linecap="round">${lash}${lines}<path d="M158 156C166 148 178 147 187 152M242 156C234 148 222 147 213 152" stroke="${brow}" stroke-width="${width}"/><path d="M201 182C199 192 193 200 195 205C198 210 204 209 207 206" stroke="${skin.shade}" stroke-width="4"/></g>`;
}

/** Grey hair gets darker brows, which stay visible on light skin. */
function darker(colour: string): string {
  return ['#b3b6b6', '#c3965a'].includes(colour) ? '#8a6f4d' : colour;
}

function mouth({ smile, skin }: { readonly smile: Person['smile']; readonly skin: Skin }): string {
  if (smile === 'closed')
    return `<path fill="none" stroke="${skin.lip}" stroke-width="4.5" stroke-linecap="round" d="M180 228C190 238 210 238 220 228"/>`;
  return `<path fill="${skin.lip}" d="M177 224C190 229 210 229 223 224C220 241 211 247 200 247C189 247 180 241 177 224Z"/><path fill="#fff" d="M182 227.500C193 231 207 231 218 227.500C216 234 210 236.5 200 236.500C190 236.5 184 234 182 227.500Z"/>`;
}

function beard(kind: NonNullable<Person['beard']>, { hair, skin }: Person): string {
  const tash =
    'M172 222C178 211 192 208 200 212C208 208 222 211 228 222C218 219 208 219 200 220C192 219 182 219 172 222Z';
  if (kind === 'moustache') return `<path fill="${hair.base}" d="${tash}"/>`;
  const cheeks =
    'M137 176C142 196 148 208 164 212C178 208 190 208 200 211C210 208 222 208 236 212C252 208 258 196 263 176C264 214 258 238 242 254C222 276 178 276 158 254C142 238 136 214 137 176Z';
  const gap = `<path fill="${skin.base}" d="M177 223C190 219 210 219 223 223C222 244 211 248 200 248C189 248 178 244 177 223Z"/>`;
  return `<path fill="${kind === 'short' ? blend(hair.base, skin.base) : hair.base}" d="${cheeks}"/>${gap}`;
}

/** Midpoint of two colours, `#rrggbb` each: skin shows through stubble. */
function blend(one: string, other: string): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) =>
      Math.round((channel(one, at) + channel(other, at)) / 2)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Dark frames would be invisible on dark skin. */
function frameOn({ base }: Skin): string {
  return base === '#5f3a24' ? '#d3ac62' : '#3b3134';
}

function glasses(kind: NonNullable<Person['glasses']>, skin: Skin): string {
  const lens = (x: number) =>
    kind === 'round'
      ? `<circle cx="${x}" cy="177" r="21"/>`
      : `<rect x="${x - 23}" y="160" width="46" height="34" rx="10"/>`;
  return `<g fill="#fff" fill-opacity=".12" stroke="${frameOn(skin)}" stroke-width="4">${lens(173)}${lens(227)}<path fill="none" stroke-linecap="round" d="M194 174C198 171 202 171 206 174M151 172L140 168M249 172L260 168"/></g>`;
}

function stethoscope(): string {
  return '<g fill="none" stroke-linecap="round"><path stroke="#33474c" stroke-width="7" d="M146 292C132 330 150 362 172 372M254 292C266 322 262 344 256 360"/><circle cx="255" cy="368" r="13" fill="#c9d2d3" stroke="#33474c" stroke-width="5"/><path stroke="#33474c" stroke-width="6" d="M172 372L170 400"/></g>';
}
