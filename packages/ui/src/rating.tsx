import { Icon } from './icon.tsx';

/** Stars filled to the value, with the number beside them; read as '4.5 out of 5 stars'. @param value - 0 to 5 */
export function Rating({ value, size = 18 }: { readonly value: number; readonly size?: number }) {
  const stars = (look: string, most = 5) =>
    [1, 2, 3, 4, 5].slice(0, most).map((star) => <Icon key={star} name="star" size={size} className={look} />);
  return (
    <span className="ui-rating">
      <span className="sr-only">{value} out of 5 stars</span>
      <span className="ui-stars">
        {stars('ui-star')}
        {/* Pages that come as HTML have no style attributes, and need none for whole stars. */}
        <span
          className="ui-stars-full"
          style={value % 1 ? { clipPath: `inset(0 ${100 - value * 20}% 0 0)` } : undefined}
        >
          {stars('ui-star-full', Math.ceil(value))}
        </span>
      </span>
      <span aria-hidden="true">{value}</span>
    </span>
  );
}
