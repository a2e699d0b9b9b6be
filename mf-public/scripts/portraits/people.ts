import type { Hair, HairStyle } from './hair.ts';

export interface Skin {
  readonly base: string;
  readonly shade: string;
  readonly lip: string;
  readonly blush: string;
}

/** What varies between portraits. */
export interface Person {
  readonly skin: Skin;
  readonly hair: Hair;
  readonly style: HairStyle;
  readonly backdrop: readonly [ground: string, shape: string];
  /** Shirt, scrubs or scarf below the coat. */
  readonly shirt: string;
  readonly wear: 'shirt' | 'scrubs' | 'blouse';
  readonly face: 'oval' | 'round' | 'square';
  readonly smile: 'open' | 'closed';
  readonly beard?: 'full' | 'short' | 'moustache';
  readonly glasses?: 'round' | 'square';
  readonly earrings?: string;
  readonly stethoscope?: boolean;
  /** Wrinkles. */
  readonly age?: boolean;
  readonly lashes?: boolean;
  /** Colour of the headscarf. */
  readonly scarf?: readonly [base: string, fold: string];
}

const skins = {
  porcelain: { base: '#f6d3bd', shade: '#e6b598', lip: '#b9574f', blush: '#ec9c86' },
  light: { base: '#f0c4a2', shade: '#dca580', lip: '#ad5046', blush: '#e58f73' },
  golden: { base: '#e9bd92', shade: '#d19d6f', lip: '#a54a41', blush: '#df8763' },
  wheat: { base: '#d9a273', shade: '#bf8556', lip: '#983f38', blush: '#cc7350' },
  honey: { base: '#c68a5b', shade: '#a86e43', lip: '#8b3733', blush: '#bb6142' },
  chestnut: { base: '#a76b43', shade: '#8a5332', lip: '#792f2c', blush: '#9d4f36' },
  cocoa: { base: '#80502f', shade: '#683d22', lip: '#6b2b28', blush: '#8d4630' },
  ebony: { base: '#5f3a24', shade: '#4a2b19', lip: '#5d2624', blush: '#7a3c2b' },
} as const satisfies Record<string, Skin>;

const hairs = {
  ink: { base: '#1d1b22', light: '#3a3742' },
  espresso: { base: '#2b1d18', light: '#4b352b' },
  walnut: { base: '#4a2f20', light: '#6d4831' },
  auburn: { base: '#7a4225', light: '#9d5d38' },
  sand: { base: '#c3965a', light: '#dcb57c' },
  steel: { base: '#6e7478', light: '#8f969a' },
  silver: { base: '#b3b6b6', light: '#d0d3d2' },
  salted: { base: '#4b4a4e', light: '#75757a' },
} as const satisfies Record<string, Hair>;

const grounds = {
  mint: ['#d7ebe4', '#bfdfd5'],
  apricot: ['#fbe3d1', '#f6cfb3'],
  sky: ['#dbe9f2', '#c3dae8'],
  butter: ['#fbeecb', '#f5e0a4'],
  lilac: ['#e7e2f1', '#d5cce6'],
  sage: ['#e3ead6', '#cfdcba'],
  rose: ['#f8dfdc', '#efc8c3'],
} as const;

/** In the order of the demo clinic's doctors. */
export const people: readonly Person[] = [
  {
    skin: skins.honey,
    hair: hairs.espresso,
    style: 'bun',
    backdrop: grounds.mint,
    shirt: '#b4534a',
    wear: 'blouse',
    face: 'oval',
    smile: 'open',
    earrings: '#e3b34c',
    lashes: true,
    age: true,
  },
  {
    skin: skins.light,
    hair: hairs.steel,
    style: 'side-part',
    backdrop: grounds.sky,
    shirt: '#8fb1cf',
    wear: 'shirt',
    face: 'square',
    smile: 'closed',
    age: true,
    stethoscope: true,
  },
  {
    skin: skins.wheat,
    hair: hairs.ink,
    style: 'long-parted',
    backdrop: grounds.apricot,
    shirt: '#0f6d6a',
    wear: 'blouse',
    face: 'oval',
    smile: 'open',
    lashes: true,
    stethoscope: true,
  },
  {
    skin: skins.wheat,
    hair: hairs.ink,
    style: 'quiff',
    backdrop: grounds.sage,
    shirt: '#1f6f78',
    wear: 'scrubs',
    face: 'square',
    smile: 'closed',
    beard: 'full',
  },
  {
    skin: skins.porcelain,
    hair: hairs.ink,
    style: 'bob',
    backdrop: grounds.lilac,
    shirt: '#3f7f9c',
    wear: 'scrubs',
    face: 'round',
    smile: 'open',
    lashes: true,
    stethoscope: true,
  },
  {
    skin: skins.ebony,
    hair: hairs.ink,
    style: 'fade',
    backdrop: grounds.butter,
    shirt: '#2f8f83',
    wear: 'scrubs',
    face: 'square',
    smile: 'open',
    glasses: 'square',
    stethoscope: true,
  },
  {
    skin: skins.golden,
    hair: hairs.espresso,
    style: 'headscarf',
    scarf: ['#2f7f7c', '#256866'],
    backdrop: grounds.rose,
    shirt: '#f2e4d4',
    wear: 'blouse',
    face: 'oval',
    smile: 'open',
    lashes: true,
    stethoscope: true,
  },
  {
    skin: skins.porcelain,
    hair: hairs.steel,
    style: 'receding',
    backdrop: grounds.mint,
    shirt: '#a9bdd6',
    wear: 'shirt',
    face: 'round',
    smile: 'closed',
    glasses: 'round',
    age: true,
    beard: 'short',
  },
  {
    skin: skins.chestnut,
    hair: hairs.ink,
    style: 'braid',
    backdrop: grounds.butter,
    shirt: '#c76b4a',
    wear: 'blouse',
    face: 'oval',
    smile: 'open',
    earrings: '#e3b34c',
    lashes: true,
  },
  {
    skin: skins.honey,
    hair: hairs.salted,
    style: 'short',
    backdrop: grounds.sky,
    shirt: '#e6ddcf',
    wear: 'shirt',
    face: 'oval',
    smile: 'closed',
    beard: 'moustache',
    age: true,
  },
  {
    skin: skins.porcelain,
    hair: hairs.sand,
    style: 'low-bun',
    backdrop: grounds.sage,
    shirt: '#46657e',
    wear: 'blouse',
    face: 'oval',
    smile: 'closed',
    lashes: true,
    earrings: '#f3efe6',
    stethoscope: true,
  },
  {
    skin: skins.cocoa,
    hair: hairs.ink,
    style: 'fade',
    backdrop: grounds.apricot,
    shirt: '#d7e3ea',
    wear: 'shirt',
    face: 'oval',
    smile: 'open',
    beard: 'short',
    stethoscope: true,
  },
  {
    skin: skins.wheat,
    hair: hairs.walnut,
    style: 'wavy',
    backdrop: grounds.lilac,
    shirt: '#e0a458',
    wear: 'blouse',
    face: 'round',
    smile: 'open',
    lashes: true,
    stethoscope: true,
  },
  {
    skin: skins.light,
    hair: hairs.walnut,
    style: 'curls',
    backdrop: grounds.mint,
    shirt: '#6a8caf',
    wear: 'shirt',
    face: 'square',
    smile: 'open',
    beard: 'full',
    glasses: 'round',
  },
  {
    skin: skins.porcelain,
    hair: hairs.ink,
    style: 'fringe',
    backdrop: grounds.rose,
    shirt: '#7f9f6d',
    wear: 'scrubs',
    face: 'oval',
    smile: 'closed',
    lashes: true,
    glasses: 'round',
  },
  {
    skin: skins.honey,
    hair: hairs.espresso,
    style: 'headscarf',
    scarf: ['#5f6c9e', '#4d5989'],
    backdrop: grounds.butter,
    shirt: '#f5efe4',
    wear: 'blouse',
    face: 'round',
    smile: 'closed',
    lashes: true,
    glasses: 'square',
  },
  {
    skin: skins.light,
    hair: hairs.auburn,
    style: 'swept',
    backdrop: grounds.apricot,
    shirt: '#37566b',
    wear: 'shirt',
    face: 'oval',
    smile: 'open',
    stethoscope: true,
  },
  {
    skin: skins.golden,
    hair: hairs.espresso,
    style: 'curly-long',
    backdrop: grounds.sage,
    shirt: '#9d5b77',
    wear: 'blouse',
    face: 'oval',
    smile: 'open',
    lashes: true,
    earrings: '#e3b34c',
  },
];
