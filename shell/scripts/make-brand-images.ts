/**
 * Draws the bitmap images in `public`. Run `node scripts/make-brand-images.ts` in shell after changing the logo or the name.
 *
 * They are for programs that can't read SVG: social.png is for link previews, the others are tab and home screen icons.
 * Drawn by Chromium; `CHROMIUM_PATH` names the executable.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brand } from '@clinic/contracts/brand';

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const target = path.join(import.meta.dirname, '../public');
const work = mkdtempSync(path.join(tmpdir(), 'brand-'));
const font = readFileSync(
  new URL(import.meta.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2')),
).toString('base64');

/** The logo mark of packages/ui in the light theme's colours. */
const mark = `
  <path fill="#7fb3ab" d="M4 27.5c5.5-1.2 11 .8 14.5 5.2C13.4 34.8 6.8 33.2 4 27.5zM44 27.5c-5.5-1.2-11 .8-14.5 5.2 5.1 2.1 11.7.5 14.5-5.2z"/>
  <path fill="#0e5c5a" d="M11.5 15c6.2 1.7 10.6 7.4 11.3 17-7.3-2.1-11.8-8.6-11.3-17zM36.5 15c-6.2 1.7-10.6 7.4-11.3 17 7.3-2.1 11.8-8.6 11.3-17z"/>
  <path fill="#f3aa7c" d="M24 7c5.4 5 7.2 14.6 0 25.5C16.8 21.6 18.6 12 24 7z"/>
  <path fill="none" stroke="#0e5c5a" stroke-width="2.6" stroke-linecap="round" d="M10 39.5c4.7-2.4 9.3-2.4 14 0s9.3 2.4 14 0"/>`;

/** @param margin - share of the size left free on each side, for icons that systems crop to a circle */
const icon = (margin: number, ground: string) => {
  const free = margin * 48;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%" viewBox="${-free} ${-free} ${48 + 2 * free} ${48 + 2 * free}" style="background:${ground}">${mark}</svg>`;
};

const [name = '', ...rest] = brand.brandName.split(' ');
const social = `
  <div style="box-sizing:border-box;width:1200px;height:630px;padding:0 84px;display:flex;flex-direction:column;justify-content:center;gap:30px;position:relative;overflow:hidden;background:#faf6ef;color:#14282a;font-family:Figtree">
    <svg style="position:absolute;right:60px;top:60px;border-radius:44px" width="510" height="510" viewBox="0 0 510 510">
      <rect width="510" height="510" fill="#dcece6"/>
      <circle cx="372" cy="136" r="76" fill="#f3aa7c" opacity=".75"/>
      <path fill="#0e5c5a" opacity=".12" d="M0 226C90 176 190 256 290 218S440 186 510 232V510H0Z"/>
      <path fill="#0e5c5a" opacity=".2" d="M0 326C100 286 190 366 300 324S440 290 510 330V510H0Z"/>
      <path fill="#0e5c5a" opacity=".28" d="M0 430C110 390 200 470 310 426S440 400 510 434V510H0Z"/>
      <g transform="translate(214 384) scale(2.1)">
        <ellipse cx="0" cy="4" rx="76" ry="19" fill="#0e5c5a" opacity=".7"/>
        <path fill="#fffdfa" d="M-58 -34C-30 -34 -12 -18 0 4C-30 8 -52 -8 -58 -34ZM58 -34C30 -34 12 -18 0 4C30 8 52 -8 58 -34Z"/>
        <path fill="#fbe0cc" d="M-36 -62C-14 -54 0 -30 0 4C-28 -4 -42 -30 -36 -62ZM36 -62C14 -54 0 -30 0 4C28 -4 42 -30 36 -62Z"/>
        <path fill="#f3aa7c" d="M0 -80C20 -56 22 -22 0 6C-22 -22 -20 -56 0 -80Z"/>
      </g>
    </svg>
    <svg width="112" height="112" viewBox="0 0 48 48" style="margin-left:-8px">${mark}</svg>
    <div style="font-size:92px;line-height:1.04;letter-spacing:-.034em"><b style="font-weight:750">${name}</b><br>${rest.join(' ')}</div>
    <div style="font-size:36px;line-height:1.35;max-width:420px;color:#4d6265">${brand.tagline}</div>
  </div>`;

/** @returns a piece of HTML as PNG, width and height in CSS pixels */
function draw(html: string, width: number, height: number): Buffer {
  const page = path.join(work, 'page.html');
  const image = path.join(work, 'image.png');
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><style>@font-face{font-family:Figtree;font-weight:300 900;src:url(data:font/woff2;base64,${font})}body{margin:0}svg{display:block}</style>${html}`,
  );
  execFileSync(
    chromium,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--default-background-color=00000000',
      `--window-size=${width},${height}`,
      '--virtual-time-budget=2000',
      `--screenshot=${image}`,
      pathToFileURL(page).href,
    ],
    { stdio: 'ignore' },
  );
  return readFileSync(image);
}

/** One PNG as an .ico file: header, one directory entry, the image (Windows Vista and later read PNG in .ico). */
function icoOf(png: Buffer, edge: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(edge, 6);
  head.writeUInt8(edge, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const square = (edge: number, svg: string) =>
  draw(`<div style="width:${edge}px;height:${edge}px">${svg}</div>`, edge, edge);
writeFileSync(path.join(target, 'social.png'), draw(social, 1200, 630));
writeFileSync(path.join(target, 'apple-touch-icon.png'), square(180, icon(0.18, '#faf6ef')));
writeFileSync(path.join(target, 'icon-192.png'), square(192, icon(0.18, '#faf6ef')));
writeFileSync(path.join(target, 'icon-512.png'), square(512, icon(0.18, '#faf6ef')));
writeFileSync(path.join(target, 'favicon.ico'), icoOf(square(48, icon(0, 'transparent')), 48));
rmSync(work, { recursive: true });
