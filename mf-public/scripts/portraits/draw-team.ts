import { drawFigure } from './draw-portrait.ts';
import type { Person } from './people.ts';

const leaf = (x: number, y: number, turn: number, size: number, fill: string) =>
  `<path fill="${fill}" transform="translate(${x} ${y}) rotate(${turn}) scale(${size})" d="M0 0C-26 -34 -26 -92 0 -136C26 -92 26 -34 0 0Z"/>`;

function plant(x: number, y: number): string {
  return [
    [-58, 0.9, '#2f7f77'],
    [-30, 1.15, '#3c9187'],
    [0, 1.3, '#2a736c'],
    [28, 1.15, '#4a9d90'],
    [56, 0.88, '#35867c'],
  ]
    .map(([turn, size, fill]) => leaf(x, y, Number(turn), Number(size), String(fill)))
    .join('');
}

/** The home page's picture: three team members under an arch, with plants; 720 by 580. */
export function drawTeam([left, right, front]: readonly [Person, Person, Person]): string {
  const arch = 'M40 320C40 143 183 0 360 0S680 143 680 320V532C680 558 658 580 632 580H88C62 580 40 558 40 532Z';
  const figure = (person: Person, x: number, y: number, size: number) =>
    `<g transform="translate(${x} ${y}) scale(${size})">${drawFigure(person)}</g>`;
  const panes =
    '<g stroke="#fff" stroke-opacity=".5" stroke-width="6" fill="none"><path d="M360 0V580M40 320H680"/><path d="M130 320a230 230 0 0 1 460 0"/></g>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 580"><clipPath id="arch"><path d="${arch}"/></clipPath><g clip-path="url(#arch)"><path fill="#cfe6de" d="M0 0H720V580H0Z"/><circle cx="512" cy="190" r="104" fill="#f7cda9"/>${panes}<path fill="#a9d3c8" d="M0 470C120 420 240 450 360 462S600 430 720 470V580H0Z"/>${plant(82, 500)}${plant(640, 500)}${figure(left, 2, 152, 1.08)}${figure(right, 288, 152, 1.08)}${figure(front, 140, 196, 1.1)}</g></svg>\n`;
}
