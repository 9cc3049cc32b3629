// What the model and the person of the pictures write.

export const QUESTION = "What would help our support most?";

export const ANSWER = `Three things would help most:

| | now | after |
|---|---:|---:|
| orders a day | 840 | 945 |
| answered within an hour | 71% | 88% |

1. Most questions come **before noon**.
2. About half ask about the *status of an order*: $\\frac{412}{840} \\approx 49\\%$.
3. \`orders.csv\` has everything needed to answer those.

\`\`\`sql
select status, count(*) from orders group by status;
\`\`\`
`;

/** The form of a question. */
export const HOTEL = {
  type: "object",
  properties: {
    city: { type: "string", title: "City" },
    nights: { type: "integer", minimum: 1, title: "Nights" },
    breakfast: { type: "boolean", title: "With breakfast" },
  },
  required: ["city", "nights"],
};

/** Questions and answers of sessions that are put into the archive. */
export const OLD = [
  ["Which day has the most orders?", "Monday, with a fifth of the week's orders."],
  ["Draft a note on the new opening hours", "From March on, we answer from 8 am to 6 pm."],
  ["How long is the warranty of a kettle?", "Two years from the day of purchase."],
];

export const ORDERS = `id,status,amount
1,shipped,49.90
2,waiting,12.50
3,shipped,8.00
`;

/** A file before and after the edit that a call asks for. */
export const NOTICE = { before: "We answer from 9 am to 5 pm.\n", after: "We answer from 8 am to 6 pm.\n" };
