import { definePage } from '@clinic/app-kit';
import { ExpertDoctors } from './expert-doctors.tsx';
import { Hero } from './hero.tsx';
import { LateSections, prepareLateSections } from './late-sections.tsx';
import { MedicalServices } from './medical-services.tsx';
import { Statistics } from './statistics.tsx';
import '../setup.ts';

/** The home page (`/`), section by section (docs/product.md, Public site). */
export function HomePage() {
  return (
    <>
      <Hero />
      <MedicalServices />
      <Statistics />
      <ExpertDoctors />
      <LateSections />
    </>
  );
}

export default definePage({
  async createPage() {
    await prepareLateSections();
    return HomePage;
  },
});
