import { components, sources } from './catalogue.at-build.ts';
import { Catalogue } from './catalogue.tsx';
import released from './released.json';

/** The catalogue of the design system, for developers; the shell shows it at /__ui in development. */
export default function Gallery() {
  return <Catalogue sources={sources} components={components} released={released} />;
}
