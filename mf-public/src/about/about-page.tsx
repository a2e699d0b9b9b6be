import { definePage, Link } from '@clinic/app-kit';
import { brand, ButtonLink, Card } from '@clinic/ui';
import { DrawingList, type DrawingItem } from '../layout/drawing-list.tsx';
import { LilyPond } from '../layout/lily-pond.tsx';
import { PageIntro } from '../layout/page-intro.tsx';
import { Section } from '../layout/section.tsx';
import '../setup.ts';

const values: readonly DrawingItem[] = [
  {
    name: 'Compassion',
    drawing: 'heart',
    text: 'We treat people, not files. We listen before we treat.',
  },
  {
    name: 'Excellence',
    drawing: 'shield',
    text: 'We measure our results, learn from each of them, and keep our knowledge current.',
  },
  {
    name: 'Integrity',
    drawing: 'book',
    text: 'We say what we know, what we don’t, and what a treatment costs, before it begins.',
  },
  {
    name: 'Community',
    drawing: 'people',
    text: 'We are neighbours. School visits and free check-up days are part of our work.',
  },
];

/** About Us (`/about`). */
export function AboutPage() {
  return (
    <>
      <PageIntro title="About Us">
        {brand.brandName} has cared for families, neighbours and newcomers since 2010.
      </PageIntro>
      <div className="mx-auto grid max-w-page items-center gap-10 px-4 py-14 sm:px-6 md:py-20 lg:grid-cols-2 lg:gap-16">
        <LilyPond className="aspect-4/3 w-full rounded-[1.75rem]" />
        <div className="grid gap-10">
          <section aria-labelledby="mission">
            <h2 id="mission" className="text-title font-bold">
              Our Mission
            </h2>
            <p className="mt-3 text-lead text-muted">
              To give everyone who comes to us the care we would want for our own family: skilled, honest, on time, and
              explained in words that make sense.
            </p>
          </section>
          <section aria-labelledby="vision">
            <h2 id="vision" className="text-title font-bold">
              Our Vision
            </h2>
            <p className="mt-3 text-lead text-muted">
              A city where a good doctor is never far away, where illness is found early, and where nobody puts off a
              visit because it is complicated.
            </p>
          </section>
        </div>
      </div>
      <Section tinted title="Our Values" lead="What guides our work.">
        <DrawingList items={values} />
      </Section>
      <div className="mx-auto max-w-page px-4 py-14 sm:px-6 md:py-20">
        <Card className="flex flex-wrap items-center justify-between gap-x-10 gap-y-6 p-8! sm:p-10!">
          <div>
            <h2 className="text-title font-bold">Exceptional care since 2010</h2>
            <p className="mt-3 max-w-prose text-muted">
              We opened in 2010 with three doctors and one promise. Today more than fifty doctors keep it. Meet the
              people behind the white coats.
            </p>
          </div>
          <ButtonLink component={Link} to="/ourDoctors" size="lg" iconAfter="arrow-right">
            Meet Our Doctors
          </ButtonLink>
        </Card>
      </div>
    </>
  );
}

export default definePage({ Component: AboutPage });
