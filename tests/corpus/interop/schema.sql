-- PostgreSQL, with a bit of MySQL
CREATE TYPE state AS ENUM ('open', 'shut');
CREATE TABLE IF NOT EXISTS public.customers (
  id bigserial PRIMARY KEY,
  email varchar(255) NOT NULL UNIQUE,
  "full name" text,
  created_at timestamp with time zone NOT NULL DEFAULT now()
);
CREATE TABLE orders (
  customer_id bigint NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  state state NOT NULL,
  channel varchar(10) CHECK (channel IN ('web', 'shop')),
  total numeric(10, 2) DEFAULT 0,
  paid tinyint(1),
  PRIMARY KEY (customer_id, number),
  KEY by_state (state),
  CONSTRAINT who FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE
);
CREATE TABLE `lines` (order_customer bigint, order_number int, line int, note json, UNIQUE (note, line));
ALTER TABLE ONLY `lines` ADD CONSTRAINT p PRIMARY KEY (order_customer, order_number, line);
ALTER TABLE `lines` ADD FOREIGN KEY (order_number, order_customer) REFERENCES orders (number, customer_id);
CREATE UNIQUE INDEX total ON orders (total);
-- name: CustomerByEmail :one
SELECT * FROM public.customers c WHERE c.email = $1;
SELECT o.number, o.total FROM orders AS o WHERE o.customer_id = ? AND o.number >= ? ORDER BY o.number DESC LIMIT 20;
SELECT * FROM orders WHERE state = 'open' OR total > 5;
INSERT INTO orders VALUES (1);
