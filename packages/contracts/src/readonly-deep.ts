/** What a schema accepts, for those who only read it. */
export type ReadonlyDeep<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: ReadonlyDeep<Value[Field]> }
    : Value;
