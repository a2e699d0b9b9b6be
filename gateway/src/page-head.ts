import { brand, brandFacts } from '@clinic/contracts/brand';
import { shellPageTexts, type PageDescriptor } from '@clinic/contracts/pages';
import type { Registry } from '@clinic/contracts/remotes';
import type { Address } from './address-book.ts';

/** Made by shell/scripts/make-brand-images.ts, in CSS pixels. */
const socialImage = { path: '/shell/social.png', width: 1200, height: 630, alt: `${brand.brandName}. ${brand.tagline}.` } as const;

/** Whether a page is for everyone and has one address: only those are for search engines. */
function isListed({ access, path }: PageDescriptor): boolean {
  return access === 'everyone' && !path.includes(':');
}

/**
 * What the head of a page says to those who don't run its scripts: search engines and programs that draw a card for a
 * shared link (https://ogp.me). Pages behind a login and unknown addresses are kept out of search engines.
 *
 * @param html - the shell's page; its title and description are replaced
 * @param publicUrl - scheme and host under which visitors know the clinic: such programs want whole addresses
 * @returns the page
 */
export function describePage(html: string, address: Address, publicUrl: string): string {
  const page = address.kind === 'page' ? address.page : address.kind === 'shell' ? shellPageTexts[address.path] : undefined;
  let described = html;
  if (page) described = described.replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(`${page.title} · ${brand.brandName}`)}</title>`);
  const { description } = page ?? {};
  if (description !== undefined) described = described.replace(/<meta name="description"[^>]*>/, () => meta('name', 'description', description));
  const listed = address.kind === 'page' && isListed(address.page) ? address.page : undefined;
  const tags = listed ? cardOf(listed, publicUrl) : [meta('name', 'robots', 'noindex')];
  return described.replace('</head>', () => `  ${tags.join('\n    ')}\n  </head>`);
}

function cardOf({ path, title, description = brand.tagline }: PageDescriptor, publicUrl: string): string[] {
  const url = publicUrl + path;
  const image = publicUrl + socialImage.path;
  return [
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    ...Object.entries({
      'og:type': 'website', 'og:site_name': brand.brandName, 'og:title': title, 'og:description': description, 'og:url': url, 'og:image': image,
      'og:image:width': String(socialImage.width), 'og:image:height': String(socialImage.height), 'og:image:alt': socialImage.alt,
    }).map(([name, content]) => meta('property', name, content)),
    meta('name', 'twitter:card', 'summary_large_image'),
    // Data, which the content security policy doesn't concern.
    `<script type="application/ld+json">${JSON.stringify(clinicFacts(publicUrl)).replaceAll('<', String.raw`\u003c`)}</script>`,
  ];
}

/** The clinic in the words of https://schema.org/MedicalClinic. */
function clinicFacts(publicUrl: string): object {
  const { address, ...facts } = brandFacts;
  return {
    '@context': 'https://schema.org', '@type': 'MedicalClinic', '@id': `${publicUrl}/#clinic`,
    name: brand.brandName, slogan: brand.tagline, url: `${publicUrl}/`, logo: `${publicUrl}/shell/icon-192.png`, image: publicUrl + socialImage.path,
    telephone: brand.phone, email: brand.email, address: { '@type': 'PostalAddress', ...address }, ...facts,
  };
}

/** `/sitemap.xml`: the pages for everyone (https://www.sitemaps.org/protocol.html). */
export function sitemapOf({ remotes }: Registry, publicUrl: string): string {
  const pages = remotes.flatMap((remote) => remote.pages.filter(isListed));
  const urls = pages.map(({ path }) => `  <url><loc>${escapeHtml(publicUrl + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`;
}

/** `/robots.txt` (RFC 9309): what is personal is of no use to search engines. */
export function robotsOf(publicUrl: string): string {
  return `User-agent: *\nDisallow: /dash\nDisallow: /appoinment/\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
