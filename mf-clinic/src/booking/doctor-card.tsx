import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Avatar, Card, Rating } from '@clinic/ui';
import { Details } from '@clinic/ui/tables';

/** The doctor to be booked. */
export function DoctorCard({ doctor }: { readonly doctor: Doctor }) {
  const { name, image, specialty, qualification, education, experience, location, rating } = doctor;
  return (
    <Card as="aside" aria-label="Your doctor">
      <div className="flex items-center gap-4 lg:grid lg:justify-items-start">
        <Avatar
          portrait
          name={name}
          src={image}
          className="aspect-square w-20 shrink-0 rounded-xl object-cover sm:w-28 lg:w-full"
        />
        <div className="min-w-0">
          <h2 className="text-lg font-bold">{name}</h2>
          <p className="text-muted">{specialty}</p>
          {rating > 0 && <Rating value={rating} size={16} />}
        </div>
      </div>
      <div className="mt-4 hidden sm:block">
        <Details
          items={[
            ['Qualification', qualification],
            ...(education ? [['Education', education] as const] : []),
            ['Experience', `${experience} ${experience === 1 ? 'year' : 'years'}`],
            ...(location ? [['Location', location] as const] : []),
          ]}
        />
      </div>
    </Card>
  );
}
