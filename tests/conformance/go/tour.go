// SPDX-License-Identifier: Apache-2.0

// The tour (../tour.md) with the AWS SDK for Go v2.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
)

type (
	item  = map[string]types.AttributeValue
	text  = types.AttributeValueMemberS
	names = map[string]string
)

var (
	ctx     = context.Background()
	db      *dynamodb.Client
	streams *dynamodbstreams.Client
	arn     *string
	table   = aws.String("Orders")
	failed  = false

	warnings []string
)

// A failed claim ends its step, by way of step's recover.
func claim(holds bool, format string, values ...any) {
	if !holds {
		panic(fmt.Sprintf(format, values...))
	}
}

func equal(got, wanted any) {
	claim(reflect.DeepEqual(got, wanted), "got %#v, wanted %#v", got, wanted)
}

func must[T any](answer T, err error) T {
	claim(err == nil, "%v", err)
	return answer
}

// The SDK's own type of error that a call must end with.
func refused[E error](_ any, err error) E {
	var wanted E
	claim(errors.As(err, &wanted), "got %v, wanted %T", err, wanted)
	return wanted
}

func step(name string, walk func()) {
	defer func() {
		if fault := recover(); fault != nil {
			failed = true
			fmt.Printf("FAILED %s: %v\n", name, fault)
			return
		}
		fmt.Println("ok", name)
	}()
	walk()
}

func s(value string) types.AttributeValue { return &text{Value: value} }
func n(value any) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: fmt.Sprint(value)}
}
func number(value int) string { return fmt.Sprintf("%04d", value) }
func key(customer, order string) item {
	return item{"customer": s(customer), "order": s(order)}
}

func order(customer, number string, total int, status ...string) item {
	made := key(customer, number)
	made["total"] = n(total)
	for _, one := range status {
		made["status"] = s(one)
	}
	return made
}

func keys(attributes ...string) []types.KeySchemaElement {
	kinds := []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}
	var schema []types.KeySchemaElement
	for i, name := range attributes {
		schema = append(schema, types.KeySchemaElement{AttributeName: aws.String(name), KeyType: kinds[i]})
	}
	return schema
}

func attribute(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
	return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind}
}

func collect(items []item, name string) (values []string) {
	for _, one := range items {
		switch value := one[name].(type) {
		case *text:
			values = append(values, value.Value)
		case *types.AttributeValueMemberN:
			values = append(values, value.Value)
		}
	}
	return values
}

func get(of item) item {
	return must(db.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: of})).Item
}

func describe(name string) *types.TableDescription {
	return must(db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})).Table
}

func waitUntilExists(name string) {
	waiter := dynamodb.NewTableExistsWaiter(db, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 100*time.Millisecond, time.Second
	})
	err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, 30*time.Second)
	claim(err == nil, "%v", err)
}

func createOrders() *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName: table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			attribute("customer", "S"), attribute("order", "S"), attribute("total", "N"), attribute("status", "S")},
		KeySchema: keys("customer", "order"),
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
			IndexName: aws.String("byTotal"), KeySchema: keys("customer", "total"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("byStatus"), KeySchema: keys("status", "total"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"note"}}}},
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
		Tags:                      []types.Tag{{Key: aws.String("stage"), Value: aws.String("tour")}},
		DeletionProtectionEnabled: aws.Bool(true),
	}
}

func tables() {
	step("create-table", func() {
		made := must(db.CreateTable(ctx, createOrders())).TableDescription
		arn = made.TableArn
		equal(made.TableStatus, types.TableStatusCreating)
		claim(strings.HasSuffix(*arn, ":table/Orders"), "%s", *arn)
	})
	step("create-table-again", func() {
		fault := refused[*types.ResourceInUseException](db.CreateTable(ctx, createOrders()))
		claim(strings.Contains(fault.ErrorMessage(), "Orders"), "%v", fault)
	})
	step("wait-until-exists", func() {
		must(db.CreateTable(ctx, &dynamodb.CreateTableInput{
			TableName: aws.String("Audit"), KeySchema: keys("id"),
			AttributeDefinitions: []types.AttributeDefinition{attribute("id", "N")},
			ProvisionedThroughput: &types.ProvisionedThroughput{
				ReadCapacityUnits: aws.Int64(1), WriteCapacityUnits: aws.Int64(1)}}))
		waitUntilExists("Orders")
		waitUntilExists("Audit")
	})
	step("describe-table", func() {
		shown := describe("Orders")
		equal(shown.TableStatus, types.TableStatusActive)
		equal(shown.KeySchema, keys("customer", "order"))
		equal(*shown.LocalSecondaryIndexes[0].IndexName, "byTotal")
		equal(*shown.GlobalSecondaryIndexes[0].IndexName, "byStatus")
		equal(*shown.LatestStreamArn, *arn+"/stream/"+*shown.LatestStreamLabel)
	})
	step("list-tables", func() {
		pages := dynamodb.NewListTablesPaginator(db, &dynamodb.ListTablesInput{Limit: aws.Int32(1)})
		var found [][]string
		for pages.HasMorePages() {
			if page := must(pages.NextPage(ctx)); len(page.TableNames) > 0 {
				found = append(found, page.TableNames)
			}
		}
		equal(found, [][]string{{"Audit"}, {"Orders"}})
	})
	step("describe-limits", func() {
		equal(*must(db.DescribeLimits(ctx, nil)).AccountMaxReadCapacityUnits, int64(80000))
	})
	step("describe-endpoints", func() {
		endpoints := must(db.DescribeEndpoints(ctx, nil)).Endpoints
		equal(len(endpoints), 1)
		equal(endpoints[0].CachePeriodInMinutes, int64(1440))
		claim(*endpoints[0].Address != "", "no address")
	})
}

func items() {
	allTypes := item{
		"customer": s("c1"), "order": s("0001"), "total": n(12.5), "status": s("OPEN"),
		"bytes":   &types.AttributeValueMemberB{Value: []byte{0, 255}},
		"flag":    &types.AttributeValueMemberBOOL{Value: true},
		"nothing": &types.AttributeValueMemberNULL{Value: true},
		"words":   &types.AttributeValueMemberSS{Value: []string{"a", "b"}},
		"numbers": &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
		"blobs":   &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
		"list":    &types.AttributeValueMemberL{Value: []types.AttributeValue{s("x"), n(1)}},
		"map":     &types.AttributeValueMemberM{Value: item{"inner": s("y")}},
	}
	step("throttled", func() {
		audit := aws.String("Audit")
		put := &dynamodb.PutItemInput{
			TableName: audit, Item: item{"id": n(1), "text": s(strings.Repeat("x", 400_000))}}
		must(db.PutItem(ctx, put))
		fault := refused[*types.ProvisionedThroughputExceededException](db.PutItem(ctx, put))
		equal(*fault.ThrottlingReasons[0].Reason, "TableWriteProvisionedThroughputExceeded")
		claim(strings.HasSuffix(*fault.ThrottlingReasons[0].Resource, ":table/Audit"), "%s", *fault.ThrottlingReasons[0].Resource)
		undone := []types.WriteRequest{{DeleteRequest: &types.DeleteRequest{Key: item{"id": n(2)}}}}
		written := must(db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{
				"Orders": {{DeleteRequest: &types.DeleteRequest{Key: key("c9", "0001")}}}, "Audit": undone}}))
		equal(written.UnprocessedItems, map[string][]types.WriteRequest{"Audit": undone})
		must(db.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: audit, Key: item{"id": n(1)}, ConsistentRead: aws.Bool(true)}))
		unread := types.KeysAndAttributes{Keys: []item{{"id": n(1)}}}
		read := must(db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{
				"Orders": {Keys: []item{key("c9", "0001")}}, "Audit": unread}}))
		equal(read.UnprocessedKeys, map[string]types.KeysAndAttributes{"Audit": unread})
		equal(len(read.Responses["Orders"]), 0)
	})
	step("put-item", func() {
		consumed := must(db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: table, Item: allTypes, ReturnConsumedCapacity: "TOTAL"})).ConsumedCapacity
		equal(*consumed.TableName, "Orders")
		equal(*consumed.CapacityUnits, 3.0)
	})
	step("get-item", func() {
		answer := must(db.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: table, Key: key("c1", "0001"), ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: "TOTAL"}))
		sort.Strings(answer.Item["words"].(*types.AttributeValueMemberSS).Value) // sets have no order
		sort.Strings(answer.Item["numbers"].(*types.AttributeValueMemberNS).Value)
		blobs := answer.Item["blobs"].(*types.AttributeValueMemberBS).Value
		sort.Slice(blobs, func(i, j int) bool { return string(blobs[i]) < string(blobs[j]) })
		equal(answer.Item, allTypes)
		equal(*answer.ConsumedCapacity.CapacityUnits, 1.0)
	})
	step("put-item-again", func() {
		old := must(db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: table, Item: order("c1", "0001", 20, "OPEN"), ReturnValues: "ALL_OLD"})).Attributes
		equal(old["total"], n(12.5))
	})
	step("update-item", func() {
		answer := must(db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: table, Key: key("c1", "0001"), UpdateExpression: aws.String("SET #t = #t + :five"),
			ExpressionAttributeNames: names{"#t": "total"}, ExpressionAttributeValues: item{":five": n(5)},
			ReturnValues: types.ReturnValueUpdatedNew}))
		equal(answer.Attributes, item{"total": n(25)})
	})
	step("condition-fails", func() {
		fault := refused[*types.ConditionalCheckFailedException](db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: table, Item: order("c1", "0001", 1), ConditionExpression: aws.String("attribute_not_exists(customer)"),
			ReturnValuesOnConditionCheckFailure: "ALL_OLD"}))
		equal(fault.ErrorMessage(), "The conditional request failed")
		equal(fault.Item["total"], n(25))
	})
	step("validation-fails", func() {
		fault := refused[smithy.APIError](db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: table, Key: key("c1", "0001"), UpdateExpression: aws.String("SET SET")}))
		equal(fault.ErrorCode(), "ValidationException")
		claim(strings.Contains(fault.ErrorMessage(), "Invalid UpdateExpression: "), "%v", fault)
	})
	step("table-not-found", func() {
		fault := refused[*types.ResourceNotFoundException](db.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: aws.String("Nowhere"), Key: item{"id": n(1)}}))
		equal(fault.ErrorMessage(), "Requested resource not found")
	})
	step("batch-write", func() {
		var puts []types.WriteRequest
		for i := 1; i <= 25; i++ {
			status := []string{"OPEN", "DONE"}[i%2]
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: order("c2", number(i), i, status)}})
		}
		answer := must(db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{"Orders": puts}, ReturnConsumedCapacity: "TOTAL"}))
		equal(len(answer.UnprocessedItems), 0)
		equal(*answer.ConsumedCapacity[0].CapacityUnits, 75.0)
	})
	step("batch-get", func() {
		answer := must(db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{"Orders": {
				Keys:                     []item{key("c2", "0001"), key("c2", "0002"), key("c2", "0003")},
				ProjectionExpression:     aws.String("#o, #t"),
				ExpressionAttributeNames: names{"#o": "order", "#t": "total"}}}}))
		found := answer.Responses["Orders"]
		sort.Slice(found, func(i, j int) bool {
			return found[i]["order"].(*text).Value < found[j]["order"].(*text).Value
		})
		equal(found, []item{{"order": s("0001"), "total": n(1)}, {"order": s("0002"), "total": n(2)},
			{"order": s("0003"), "total": n(3)}})
		equal(len(answer.UnprocessedKeys), 0)
	})
}

func queries() {
	step("query-pages", func() {
		pages := dynamodb.NewQueryPaginator(db, &dynamodb.QueryInput{
			TableName: table, KeyConditionExpression: aws.String("customer = :c"), Limit: aws.Int32(10),
			ExpressionAttributeValues: item{":c": s("c2")}})
		var counts []int32
		var found, wanted []string
		for pages.HasMorePages() {
			page := must(pages.NextPage(ctx))
			counts = append(counts, page.Count)
			found = append(found, collect(page.Items, "order")...)
		}
		for i := 1; i <= 25; i++ {
			wanted = append(wanted, number(i))
		}
		equal(counts, []int32{10, 10, 5})
		equal(found, wanted)
	})
	step("query-backwards", func() {
		answer := must(db.Query(ctx, &dynamodb.QueryInput{
			TableName: table, KeyConditionExpression: aws.String("customer = :c AND #o > :o"), Limit: aws.Int32(2),
			ScanIndexForward: aws.Bool(false), ExpressionAttributeNames: names{"#o": "order"},
			ExpressionAttributeValues: item{":c": s("c2"), ":o": s("0010")}}))
		equal(collect(answer.Items, "order"), []string{"0025", "0024"})
		equal(answer.LastEvaluatedKey, key("c2", "0024"))
	})
	step("query-index", func() {
		answer := must(db.Query(ctx, &dynamodb.QueryInput{
			TableName: table, IndexName: aws.String("byStatus"), ReturnConsumedCapacity: "INDEXES",
			KeyConditionExpression:    aws.String("#s = :s AND #t BETWEEN :a AND :b"),
			ExpressionAttributeNames:  names{"#s": "status", "#t": "total"},
			ExpressionAttributeValues: item{":s": s("DONE"), ":a": n(5), ":b": n(9)}}))
		equal(collect(answer.Items, "total"), []string{"5", "7", "9"})
		equal(*answer.ConsumedCapacity.GlobalSecondaryIndexes["byStatus"].CapacityUnits, 0.5)
		equal(*answer.ConsumedCapacity.Table.CapacityUnits, 0.0)
	})
	step("query-local-index", func() {
		answer := must(db.Query(ctx, &dynamodb.QueryInput{
			TableName: table, IndexName: aws.String("byTotal"), ConsistentRead: aws.Bool(true),
			KeyConditionExpression: aws.String("customer = :c AND #t > :t"), ExpressionAttributeNames: names{"#t": "total"},
			ExpressionAttributeValues: item{":c": s("c2"), ":t": n(23)}}))
		equal(collect(answer.Items, "total"), []string{"24", "25"})
	})
	step("query-count", func() {
		answer := must(db.Query(ctx, &dynamodb.QueryInput{
			TableName: table, Select: types.SelectCount, KeyConditionExpression: aws.String("customer = :c"),
			FilterExpression: aws.String("#s = :s"), ExpressionAttributeNames: names{"#s": "status"},
			ExpressionAttributeValues: item{":c": s("c2"), ":s": s("DONE")}}))
		equal([]int32{answer.Count, answer.ScannedCount}, []int32{13, 25})
	})
	step("scan-pages", func() {
		pages := dynamodb.NewScanPaginator(db, &dynamodb.ScanInput{TableName: table, Limit: aws.Int32(10)})
		var counts []int32
		for pages.HasMorePages() {
			if page := must(pages.NextPage(ctx)); page.Count > 0 {
				counts = append(counts, page.Count)
			}
		}
		equal(counts, []int32{10, 10, 6})
	})
	step("scan-segments", func() {
		distinct := map[string]bool{}
		count := 0
		for segment := int32(0); segment < 2; segment++ {
			answer := must(db.Scan(ctx, &dynamodb.ScanInput{
				TableName: table, Segment: aws.Int32(segment), TotalSegments: aws.Int32(2)}))
			orders := collect(answer.Items, "order")
			for i, customer := range collect(answer.Items, "customer") {
				distinct[customer+"/"+orders[i]] = true
				count++
			}
		}
		equal([]int{count, len(distinct)}, []int{26, 26})
	})
}

func transaction(total int) *dynamodb.TransactWriteItemsInput {
	return &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String("tour-1"), ReturnConsumedCapacity: "TOTAL",
		TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: table, Item: order("c3", "0001", total)}},
			{Update: &types.Update{
				TableName: table, Key: key("c2", "0001"), UpdateExpression: aws.String("SET #t = :t"),
				ExpressionAttributeNames: names{"#t": "total"}, ExpressionAttributeValues: item{":t": n(100)}}},
			{Delete: &types.Delete{TableName: table, Key: key("c2", "0025")}},
			{ConditionCheck: &types.ConditionCheck{
				TableName: table, Key: key("c1", "0001"), ConditionExpression: aws.String("attribute_exists(customer)")}},
		}}
}

func transactions() {
	step("transact-write", func() {
		answer := must(db.TransactWriteItems(ctx, transaction(7)))
		equal(*answer.ConsumedCapacity[0].TableName, "Orders")
		equal(get(key("c3", "0001"))["total"], n(7))
		equal(len(get(key("c2", "0025"))), 0)
	})
	step("transact-write-again", func() {
		answer := must(db.TransactWriteItems(ctx, transaction(7)))
		claim(*answer.ConsumedCapacity[0].ReadCapacityUnits > 0, "no read units")
		refused[*types.IdempotentParameterMismatchException](db.TransactWriteItems(ctx, transaction(8)))
		equal(get(key("c3", "0001"))["total"], n(7))
	})
	step("transact-cancelled", func() {
		put := func(it item) types.TransactWriteItem {
			return types.TransactWriteItem{Put: &types.Put{
				TableName: table, Item: it, ConditionExpression: aws.String("attribute_not_exists(customer)"),
				ReturnValuesOnConditionCheckFailure: "ALL_OLD"}}
		}
		fault := refused[*types.TransactionCanceledException](db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{put(order("c3", "0002", 1)), put(order("c3", "0001", 1))}}))
		reasons := fault.CancellationReasons
		equal([]string{*reasons[0].Code, *reasons[1].Code}, []string{"None", "ConditionalCheckFailed"})
		equal(*reasons[1].Message, "The conditional request failed")
		equal(reasons[1].Item["total"], n(7))
	})
	step("transact-get", func() {
		var gets []types.TransactGetItem
		for _, of := range []item{key("c3", "0001"), key("c2", "0001"), key("c2", "0025")} {
			gets = append(gets, types.TransactGetItem{Get: &types.Get{TableName: table, Key: of}})
		}
		found := must(db.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: gets})).Responses
		equal([]types.AttributeValue{found[0].Item["total"], found[1].Item["total"]}, []types.AttributeValue{n(7), n(100)})
		equal(len(found[2].Item), 0)
	})
	step("delete-item", func() {
		answer := must(db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: table, Key: key("c3", "0001"), ReturnValues: "ALL_OLD", ReturnItemCollectionMetrics: "SIZE"}))
		equal(answer.Attributes["total"], n(7))
		equal(answer.ItemCollectionMetrics.ItemCollectionKey, item{"customer": s("c3")})
		equal(len(answer.ItemCollectionMetrics.SizeEstimateRangeGB), 2)
	})
}

func statement(text string, parameters ...types.AttributeValue) (*dynamodb.ExecuteStatementOutput, error) {
	return db.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{Statement: &text, Parameters: parameters})
}

func partiql() {
	step("partiql", func() {
		must(statement(`INSERT INTO "Orders" VALUE {'customer': ?, 'order': ?, 'total': ?}`, s("c4"), s("0001"), n(1)))
		select_ := &dynamodb.ExecuteStatementInput{
			Statement: aws.String(`SELECT * FROM "Orders" WHERE customer = ?`), Limit: aws.Int32(10),
			Parameters: []types.AttributeValue{s("c2")}}
		var sizes []int
		for more := true; more; more = select_.NextToken != nil {
			page := must(db.ExecuteStatement(ctx, select_))
			sizes = append(sizes, len(page.Items))
			select_.NextToken = page.NextToken
		}
		equal(sizes, []int{10, 10, 4})
		answer := must(statement(
			`UPDATE "Orders" SET note = ? WHERE customer = ? AND "order" = ? RETURNING ALL NEW *`,
			s("fragile"), s("c4"), s("0001")))
		wanted := order("c4", "0001", 1)
		wanted["note"] = s("fragile")
		equal(answer.Items, []item{wanted})
	})
	step("partiql-duplicate", func() {
		fault := refused[*types.DuplicateItemException](
			statement(`INSERT INTO "Orders" VALUE {'customer': 'c4', 'order': '0001'}`))
		claim(fault.ErrorMessage() != "", "no message")
	})
	step("partiql-batch", func() {
		one := func(name string) types.BatchStatementRequest {
			return types.BatchStatementRequest{Statement: aws.String(
				`SELECT * FROM "` + name + `" WHERE customer = 'c4' AND "order" = '0001'`)}
		}
		answer := must(db.BatchExecuteStatement(ctx, &dynamodb.BatchExecuteStatementInput{
			Statements: []types.BatchStatementRequest{one("Orders"), one("Nowhere")}}))
		equal(answer.Responses[0].Item["note"], s("fragile"))
		equal(answer.Responses[1].Error.Code, types.BatchStatementErrorCodeEnumResourceNotFound)
	})
	step("partiql-transaction", func() {
		setNote := func(customer, more string) types.ParameterizedStatement {
			return types.ParameterizedStatement{Statement: aws.String(
				`UPDATE "Orders" SET note = 'x' WHERE customer = '` + customer + `' AND "order" = '0001'` + more)}
		}
		run := func(statements ...types.ParameterizedStatement) (*dynamodb.ExecuteTransactionOutput, error) {
			return db.ExecuteTransaction(ctx, &dynamodb.ExecuteTransactionInput{TransactStatements: statements})
		}
		must(run(setNote("c1", ""), setNote("c4", "")))
		fault := refused[*types.TransactionCanceledException](run(setNote("c1", " AND note = 'y'"), setNote("c4", "")))
		reasons := fault.CancellationReasons
		equal([]string{*reasons[0].Code, *reasons[1].Code}, []string{"ConditionalCheckFailed", "None"})
	})
}

func changes() {
	step("update-table", func() {
		answer := must(db.UpdateTable(ctx, &dynamodb.UpdateTableInput{
			TableName: table, AttributeDefinitions: []types.AttributeDefinition{attribute("note", "S")},
			GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
				Create: &types.CreateGlobalSecondaryIndexAction{
					IndexName: aws.String("byNote"), KeySchema: keys("note"),
					Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}}}))
		equal(answer.TableDescription.TableStatus, types.TableStatusUpdating)
		var found []string
		for active := 0; active < 2; {
			active, found = 0, nil
			for _, index := range describe("Orders").GlobalSecondaryIndexes {
				found = append(found, *index.IndexName)
				if index.IndexStatus == types.IndexStatusActive {
					active++
				}
			}
		}
		sort.Strings(found)
		equal(found, []string{"byNote", "byStatus"})
		noted := must(db.Query(ctx, &dynamodb.QueryInput{
			TableName: table, IndexName: aws.String("byNote"), KeyConditionExpression: aws.String("note = :n"),
			ExpressionAttributeValues: item{":n": s("x")}}))
		equal(noted.Count, int32(2))
	})
	step("update-capacity", func() {
		for _, units := range []int64{6, 4} {
			answer := must(db.UpdateTable(ctx, &dynamodb.UpdateTableInput{
				TableName: aws.String("Audit"), ProvisionedThroughput: &types.ProvisionedThroughput{
					ReadCapacityUnits: &units, WriteCapacityUnits: &units}}))
			equal(answer.TableDescription.TableStatus, types.TableStatusUpdating)
			waitUntilExists("Audit")
			shown := describe("Audit").ProvisionedThroughput
			equal([]int64{*shown.ReadCapacityUnits, *shown.WriteCapacityUnits}, []int64{units, units})
		}
	})
	step("deletion-protection", func() {
		fault := refused[smithy.APIError](db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: table}))
		equal(fault.ErrorCode(), "ValidationException")
		answer := must(db.UpdateTable(ctx, &dynamodb.UpdateTableInput{
			TableName: table, DeletionProtectionEnabled: aws.Bool(false)}))
		equal(*answer.TableDescription.DeletionProtectionEnabled, false)
	})
	step("tags", func() {
		tags := func() names {
			found := names{}
			for _, tag := range must(db.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: arn})).Tags {
				found[*tag.Key] = *tag.Value
			}
			return found
		}
		must(db.TagResource(ctx, &dynamodb.TagResourceInput{
			ResourceArn: arn, Tags: []types.Tag{{Key: aws.String("owner"), Value: aws.String("me")}}}))
		equal(tags(), names{"stage": "tour", "owner": "me"})
		must(db.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: arn, TagKeys: []string{"stage"}}))
		equal(tags(), names{"owner": "me"})
	})
	step("time-to-live", func() {
		answer := must(db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
			TableName: table, TimeToLiveSpecification: &types.TimeToLiveSpecification{
				Enabled: aws.Bool(true), AttributeName: aws.String("expires")}}))
		equal(*answer.TimeToLiveSpecification.AttributeName, "expires")
		shown := must(db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: table})).TimeToLiveDescription
		equal(*shown.AttributeName, "expires")
		claim(strings.HasPrefix(string(shown.TimeToLiveStatus), "ENABL"), "%s", shown.TimeToLiveStatus)
	})
}

func insights() {
	step("contributor-insights", func() {
		answer := must(db.UpdateContributorInsights(ctx, &dynamodb.UpdateContributorInsightsInput{
			TableName: table, ContributorInsightsAction: types.ContributorInsightsActionEnable}))
		claim(strings.HasPrefix(string(answer.ContributorInsightsStatus), "ENABL"), "%s", answer.ContributorInsightsStatus)
		shown := must(db.DescribeContributorInsights(ctx, &dynamodb.DescribeContributorInsightsInput{TableName: table}))
		claim(strings.HasPrefix(string(shown.ContributorInsightsStatus), "ENABL"), "%s", shown.ContributorInsightsStatus)
		claim(len(shown.ContributorInsightsRuleList) > 0, "no rules")
		found := false
		pages := dynamodb.NewListContributorInsightsPaginator(db, &dynamodb.ListContributorInsightsInput{})
		for pages.HasMorePages() {
			for _, one := range must(pages.NextPage(ctx)).ContributorInsightsSummaries {
				found = found || *one.TableName == "Orders"
			}
		}
		claim(found, "not listed")
	})
	step("resource-policy", func() {
		policy := `{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": "000000000000"}, ` +
			`"Action": "dynamodb:GetItem", "Resource": "` + *arn + `"}]}`
		put := &dynamodb.PutResourcePolicyInput{ResourceArn: arn, Policy: &policy}
		revision := must(db.PutResourcePolicy(ctx, put)).RevisionId
		shown := must(db.GetResourcePolicy(ctx, &dynamodb.GetResourcePolicyInput{ResourceArn: arn}))
		var got, wanted any
		claim(json.Unmarshal([]byte(*shown.Policy), &got) == nil, "%s", *shown.Policy)
		claim(json.Unmarshal([]byte(policy), &wanted) == nil, "%s", policy)
		equal(got, wanted)
		equal(shown.RevisionId, revision)
		put.ExpectedRevisionId = aws.String("1")
		refused[*types.PolicyNotFoundException](db.PutResourcePolicy(ctx, put))
		gone := must(db.DeleteResourcePolicy(ctx, &dynamodb.DeleteResourcePolicyInput{
			ResourceArn: arn, ExpectedRevisionId: revision}))
		equal(gone.RevisionId, revision)
		refused[*types.PolicyNotFoundException](
			db.GetResourcePolicy(ctx, &dynamodb.GetResourcePolicyInput{ResourceArn: arn}))
	})
}

func stream() {
	step("streams", func() {
		found := must(streams.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: table})).Streams
		equal(len(found), 1)
		of := found[0].StreamArn
		shown := must(streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: of})).StreamDescription
		equal(shown.StreamStatus, streamtypes.StreamStatusEnabled)
		equal(shown.StreamViewType, streamtypes.StreamViewTypeNewAndOldImages)
		total := func(image map[string]streamtypes.AttributeValue) string {
			if value, there := image["total"].(*streamtypes.AttributeValueMemberN); there {
				return value.Value
			}
			return ""
		}
		var lines []string
		for _, shard := range shown.Shards {
			iterator := must(streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
				StreamArn: of, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeAtTimestamp,
				Timestamp: aws.Time(time.Unix(0, 0))}))
			records := must(streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator}))
			for _, record := range records.Records {
				if change := record.Dynamodb; change.Keys["customer"].(*streamtypes.AttributeValueMemberS).Value == "c1" {
					lines = append(lines, fmt.Sprintf("%s %s>%s", record.EventName, total(change.OldImage), total(change.NewImage)))
				}
			}
		}
		claim(len(lines) >= 3, "%v", lines)
		equal(lines[:3], []string{"INSERT >12.5", "MODIFY 12.5>20", "MODIFY 20>25"})
	})
}

func ending() {
	step("crc32", func() { // this SDK checks each answer, and only warns
		damaged := key("damaged", "once")
		equal(len(get(damaged)), 0)
		equal(len(warnings), 1)
		claim(strings.Contains(warnings[0], "failed to close HTTP response body"), "%s", warnings[0])
		equal(len(get(damaged)), 0)
		equal(len(warnings), 1)
	})
	step("delete-table", func() {
		for _, name := range []string{"Orders", "Audit"} {
			answer := must(db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name}))
			equal(answer.TableDescription.TableStatus, types.TableStatusDeleting)
			waiter := dynamodb.NewTableNotExistsWaiter(db, func(o *dynamodb.TableNotExistsWaiterOptions) {
				o.MinDelay, o.MaxDelay = 100*time.Millisecond, time.Second
			})
			err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, 30*time.Second)
			claim(err == nil, "%v", err)
		}
		equal(len(must(db.ListTables(ctx, nil)).TableNames), 0)
	})
}

func main() {
	settings, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		panic(err)
	}
	settings.Logger = logging.LoggerFunc(func(_ logging.Classification, format string, values ...any) {
		warnings = append(warnings, fmt.Sprintf(format, values...))
	})
	db = dynamodb.NewFromConfig(settings)
	streams = dynamodbstreams.NewFromConfig(settings)
	tables()
	items()
	queries()
	transactions()
	partiql()
	changes()
	insights()
	stream()
	ending()
	if failed {
		os.Exit(1)
	}
}
