import { LowerSections } from './lower-sections.tsx';

/** In HTML the whole page comes at once. */
export function LateSections() {
  return (
    <div data-late-sections className="contents">
      <LowerSections />
    </div>
  );
}

/** Only scripts load them later. */
export const prepareLateSections = async (): Promise<void> => undefined;
