import { definePage } from '@clinic/app-kit';
import { ExpertDoctors } from './expert-doctors.tsx';
import { Faq } from './faq.tsx';
import { GetInTouch } from './get-in-touch.tsx';
import { HealthTips } from './health-tips.tsx';
import { Hero } from './hero.tsx';
import { LatestNews } from './latest-news.tsx';
import { MedicalServices } from './medical-services.tsx';
import { Newsletter } from './newsletter.tsx';
import { Statistics } from './statistics.tsx';
import { Testimonials } from './testimonials.tsx';

/** The home page (`/`), section by section (docs/product.md, Public site). */
export function HomePage() {
  return (
    <>
      <Hero />
      <MedicalServices />
      <Statistics />
      <ExpertDoctors />
      <HealthTips />
      <LatestNews />
      <Faq />
      <Newsletter />
      <GetInTouch />
      <Testimonials />
    </>
  );
}

export default definePage({ Component: HomePage });
