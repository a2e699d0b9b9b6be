import { Icon } from './icon.tsx';

/** Stars, read as '4.5 out of 5 stars'. @param value - 0 to 5 */
export function Rating({ value, size = 18 }: { readonly value: number; readonly size?: number }) {
  return (
    <span className="ui-rating">
      <span className="sr-only">{value} out of 5 stars</span>
      {[1, 2, 3, 4, 5].map((star) => (
        <Icon key={star} name="star" size={size} className={star <= Math.round(value) ? 'ui-star-full' : 'ui-star'} />
      ))}
    </span>
  );
}
