import { Faq } from './faq.tsx';
import { GetInTouch } from './get-in-touch.tsx';
import { HealthTips } from './health-tips.tsx';
import { LatestNews } from './latest-news.tsx';
import { Newsletter } from './newsletter.tsx';
import { Testimonials } from './testimonials.tsx';

/** The home page from the second screen on. */
export function LowerSections() {
  return (
    <>
      <HealthTips />
      <LatestNews />
      <Faq />
      <Newsletter />
      <GetInTouch />
      <Testimonials />
    </>
  );
}
